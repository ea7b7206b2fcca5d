// What the judge of execution plans is made of: a property, or a few, each.
#pragma once

#include <cstdint>
#include <string>

#include "model/limits/work.h"
#include "programs/mscclpp/judge.h"
#include "programs/mscclpp/launch.h"
#include "programs/mscclpp/memory.h"
#include "programs/mscclpp/relaunched.h"

namespace quadrille::programs {

struct PlanCase {
  const ExecutionPlan& plan;
  const PlanMemory& memory;
  const Relaunched& runs;
  const PlanJudgeOptions& options;
  ProgramReport& report;
  Work& work;
};

// The property that a violation is of: `first`, if it is seen in the first launch; else `relaunch`.
inline ProgramProperty of_launch(std::uint32_t launch, ProgramProperty first) {
  return launch == 0 ? first : ProgramProperty::relaunch;
}

// Judges `matching`: as many signals as waits in a launch, at each pair of ends; and barriers. And whether semaphores
// come back to their first values, of `relaunch`.
void judge_plan_matching(const ExecutionPlan& plan, const PlanLaunch& launch, const PlanJudgeOptions& options,
                         ProgramReport& report);

// Judges `deadlock`, and `relaunch` if a later launch hangs.
void judge_plan_deadlock(const PlanCase& it);

// Judges `race`, and `relaunch` of races with a later launch, or with plans that are launched between. Requires that
// all launches end. Throws Ended.
void judge_plan_races(const PlanCase& it);

// Judges `data`, `agreement`, and `relaunch` if a later launch makes other data. Requires that nothing races. Throws
// Ended.
void judge_plan_data(const PlanCase& it);

// Lists the operations, and what orders them in a launch that ends. Throws Ended.
void list_plan_order(const PlanCase& it, OrderGraph& graph);

}  // namespace quadrille::programs
