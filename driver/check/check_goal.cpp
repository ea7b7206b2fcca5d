// The command `check` on GOAL.
#include "driver/check/check_goal.h"

#include <fmt/format.h>

#include <utility>

#include "driver/inputs/costs.h"
#include "driver/inputs/input.h"
#include "programs/goal/read.h"

namespace quadrille::driver {
namespace {

using programs::GoalForm;

constexpr std::size_t goal_beginning = 4096;  // comments before the first word are longer than that rarely

// Reads a schedule. A text is kept among the sources, for messages; bytes are not.
Result<programs::GoalSchedule> read_goal(std::string name, std::string text, bool binary, Context& context) {
  if (binary) return programs::read_goal_binary(text, context.limits);
  context.sources.push_back({std::move(name), std::move(text)});
  const auto index = static_cast<std::uint32_t>(context.sources.size() - 1);
  return programs::read_goal_text(context.sources.back(), index, context.limits);
}

}  // namespace

bool is_goal(const std::string& file, Context& context) {
  if (file == "-") return false;
  const auto beginning = context.environment.read_beginning(file, goal_beginning);
  return beginning && programs::goal_form(*beginning) != GoalForm::other;
}

Result<CheckGoalOutcome> run(const CheckGoalRequest& request, Context& context) {
  CheckGoalOutcome outcome;
  programs::GoalJudgeOptions options{.listed = request.listed};
  if (!request.buffer.empty()) {
    const Result<std::uint64_t> bytes = parse_size(request.buffer);
    if (!bytes) {
      return error_at({}, fmt::format("--buffer: `{}`; expected a number of bytes, such as 64KiB", request.buffer),
                      Code::usage);
    }
    options.eager_bytes = *bytes;
  }
  outcome.eager_given = options.eager_bytes.has_value();
  outcome.eager_bytes = options.eager_bytes.value_or(programs::default_eager_bytes);
  auto text = context.environment.read_file(request.file);
  if (!text) return cannot_read(request.file, context.environment);
  outcome.binary = programs::goal_form(*text) == GoalForm::binary;
  tell_stage(context, "reading the schedule");
  Result<programs::GoalSchedule> schedule = read_goal(request.file, *std::move(text), outcome.binary, context);
  if (!schedule) {
    Diagnostics wrong = schedule.diagnostics();
    for (Diagnostic& it : wrong) {
      if (!it.span.known()) it.message = fmt::format("{}: {}", request.file, it.message);
    }
    return wrong;
  }
  outcome.schedule = *std::move(schedule);
  for (const programs::GoalRank& rank : outcome.schedule.ranks) {
    outcome.operations += rank.operations.size();
    outcome.dependencies += rank.dependencies.size();
    for (const programs::GoalOperation& it : rank.operations) outcome.sends += it.kind == programs::GoalKind::send;
  }
  tell_stage(context, "judging the schedule");
  options.limits = remaining(context);
  outcome.order_listed = request.operations;
  if (request.operations || request.order) options.order = &outcome.edges.emplace();
  outcome.report = programs::judge_goal(outcome.schedule, options);
  return outcome;
}

}  // namespace quadrille::driver
