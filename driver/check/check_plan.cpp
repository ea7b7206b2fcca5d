// The command `check` on MSCCL++ execution plans.
#include "driver/check/check_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "driver/check/check_program.h"
#include "driver/inputs/input.h"
#include "model/limits/limits.h"
#include "model/text/counted.h"
#include "programs/mscclpp/judge.h"

namespace quadrille::driver {
namespace {

constexpr std::size_t plan_beginning = 4096;

// Whether these are the first bytes of a JSON object with a key that plans have. Their keys come in any order, and long
// lists stand between them.
bool may_begin_plan(std::string_view beginning) {
  const std::size_t first = beginning.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  const auto has = [&](std::string_view key) { return beginning.find(key) != std::string_view::npos; };
  return first != std::string_view::npos && beginning[first] == '{' && !has("\"quadrille_table\"") &&
         (has("\"gpus\"") || has("\"protocol\""));
}

Diagnostics named(Diagnostics wrong, const std::string& file) {
  for (Diagnostic& it : wrong) it.message = fmt::format("{}: {}", file, it.message);
  return wrong;
}

Result<programs::ExecutionPlan> read_plan(const std::string& file, Context& context) {
  const Result<std::string> text = text_of(file, context);
  if (!text) return text.diagnostics();
  try {
    auto plan = programs::read_execution_plan(*text, remaining(context));
    if (!plan) return named(plan.diagnostics(), file);
    return plan;
  } catch (const Ended& ended) {
    return error_at({}, fmt::format("{} has not been read: {}", file, to_string(ended.reason)), code_of(ended.reason));
  }
}

}  // namespace

bool is_plan(const std::string& file, Context& context) {
  if (file == "-") return false;
  const auto beginning = context.environment.read_beginning(file, plan_beginning);
  if (!beginning || !may_begin_plan(*beginning)) return false;
  const auto text = context.environment.read_file(file);
  return text && programs::is_execution_plan(*text);
}

Result<CheckPlanOutcome> run(const CheckPlanRequest& request, Context& context) {
  tell_stage(context, "reading the plan");
  Result<programs::ExecutionPlan> plan = read_plan(request.file, context);
  if (!plan) return plan.diagnostics();
  CalledCollective called;
  if (!request.collective.empty()) {
    const Result<CalledCollective> given = called_collective(request.collective);
    if (!given) return given.diagnostics();
    called = *given;
    plan->collective = to_string(called.family);
  }
  if (called.root >= std::max<std::size_t>(plan->ranks.size(), 1)) {
    return error_at(
        {}, fmt::format("--collective {}: the plan has {}", request.collective, counted(plan->ranks.size(), "gpu")),
        Code::usage);
  }
  CheckPlanOutcome outcome{.plan = *std::move(plan), .report = {}};
  outcome.multiprocessors = request.multiprocessors;
  outcome.order_listed = request.operations;
  for (const programs::PlanRank& rank : outcome.plan.ranks) {
    outcome.blocks += rank.blocks.size();
    for (const programs::PlanBlock& block : rank.blocks) {
      for (const programs::PlanOperation& it : block.operations) outcome.operations += 1 + it.inner.size();
    }
  }
  if (request.operations || request.order) outcome.order.emplace();
  tell_stage(context, "judging the plan");
  outcome.report = programs::judge_plan(outcome.plan, {.listed = request.listed,
                                                       .limits = remaining(context),
                                                       .multiprocessors = request.multiprocessors,
                                                       .root = called.root,
                                                       .alone = request.alone,
                                                       .order = outcome.order ? &*outcome.order : nullptr});
  outcome.report.agreement_demanded = request.agreement;
  return outcome;
}

}  // namespace quadrille::driver
