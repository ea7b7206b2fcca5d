// Structure and limits are judged first: all that follows relies on numbers that name something.
#include "programs/mscclpp/judge.h"

#include <fmt/format.h>

#include "programs/mscclpp/structure.h"

namespace quadrille::programs {

ProgramReport judge_plan(const ExecutionPlan& plan, const PlanJudgeOptions& options) {
  ProgramReport report;
  judge_plan_structure(plan, options.listed, report);
  for (const ProgramProperty property : {ProgramProperty::matching, ProgramProperty::deadlock, ProgramProperty::race,
                                         ProgramProperty::data, ProgramProperty::agreement, ProgramProperty::relaunch})
    report.set_unknown(property, Reason::none, "it is not judged yet");
  return report;
}

std::string plan_operation_text(const ExecutionPlan& plan, const Location& place) {
  const auto& operations = plan.ranks[place.rank].blocks[place.block].operations;
  const auto step = static_cast<std::size_t>(place.step);
  std::size_t before = 0;
  for (std::size_t o = 0; o < step; ++o) before += 1 + operations[o].inner.size();
  const PlanOperation& outer = operations[step];
  const std::size_t inner = place.index - before;
  if (inner == 0) return fmt::format("ops[{}] {}", step, to_string(outer.kind));
  return fmt::format("ops[{}].ops[{}] {}", step, inner - 1, to_string(outer.inner[inner - 1].kind));
}

}  // namespace quadrille::programs
