// Judges an MSCCL++ execution plan: whether it does what its collective demands for every order that the executor may
// take, and launched again and again.
//
//   const Result<ExecutionPlan> plan = read_execution_plan(text, limits);
//   const ProgramReport report = judge_plan(*plan, {});
//   if (report.verdict() != ProgramVerdict::holds) …report.findings…
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "model/limits/limits.h"
#include "programs/mscclpp/plan.h"
#include "programs/order_graph.h"
#include "programs/report.h"

namespace quadrille::programs {

struct PlanJudgeOptions {
  std::size_t listed = 3;  // findings of each property that are described; all are counted
  Limits limits = {};
  std::optional<std::uint32_t> multiprocessors = {};  // of a GPU: as many blocks run at once
  std::uint32_t root = 0;                             // of a broadcast or a reduction: no plan says it
  bool alone = false;           // nothing else is launched on these GPUs, and this for one size of message
  OrderGraph* order = nullptr;  // gets the operations and what orders them, where the limits allow it
};

// Judges all properties. Where the structure is wrong or the limits of the executor are not kept, all others are
// unknown. Where our own limits are reached, those that are not judged by then are unknown.
ProgramReport judge_plan(const ExecutionPlan& plan, const PlanJudgeOptions& options);

// The operation at the place as the file has it: "ops[2].ops[1] put". Requires that it is there.
std::string plan_operation_text(const ExecutionPlan& plan, const Location& place);

}  // namespace quadrille::programs
