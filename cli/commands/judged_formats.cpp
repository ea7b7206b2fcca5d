// Each format has a request and an outcome of its own in driver/check/; here they meet behind one call.
#include "cli/commands/judged_formats.h"

#include <algorithm>
#include <array>

#include "driver/check/check_goal.h"
#include "driver/check/check_plan.h"

namespace quadrille::cli {
namespace {

int judge_msccl(const driver::CheckProgramRequest& asked, Session& session) {
  return session.finish(driver::run(asked, session.context()));
}

int judge_goal(const driver::CheckProgramRequest& asked, Session& session) {
  const driver::CheckGoalRequest request{asked.file, asked.buffer, asked.listed, asked.operations, asked.order};
  return session.finish(driver::run(request, session.context()));
}

int judge_plan(const driver::CheckProgramRequest& asked, Session& session) {
  return session.finish(driver::run(driver::CheckPlanRequest{.file = asked.file,
                                                             .multiprocessors = asked.multiprocessors,
                                                             .collective = asked.collective,
                                                             .alone = asked.alone,
                                                             .agreement = asked.agreement,
                                                             .listed = asked.listed,
                                                             .operations = asked.operations,
                                                             .order = asked.order},
                                    session.context()));
}

constexpr std::array formats{JudgedFormat{msccl_format, driver::is_msccl, judge_msccl},
                             JudgedFormat{goal_format, driver::is_goal, judge_goal},
                             JudgedFormat{plan_format, driver::is_plan, judge_plan}};

}  // namespace

std::span<const JudgedFormat> judged_formats() { return formats; }

const JudgedFormat* judged_format(std::string_view name) {
  const auto found = std::ranges::find(formats, name, &JudgedFormat::name);
  return found == formats.end() ? nullptr : &*found;
}

}  // namespace quadrille::cli
