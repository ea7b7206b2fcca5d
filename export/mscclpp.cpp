// A table as an MSCCL++ execution plan: each processor's program, on the buffers of a call, in thread blocks; then
// judged.
#include "export/mscclpp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "export/judged_program.h"
#include "export/msccl.h"
#include "export/mscclpp_program.h"
#include "export/rank_memory.h"
#include "export/rank_programs.h"
#include "programs/mscclpp/judge.h"
#include "programs/mscclpp/write_plan.h"

namespace quadrille::exporting {
namespace {

using programs::ExecutionPlan;

constexpr std::uint64_t most_offset = 0xffffffff;  // bytes: the executor keeps offsets in 32 bits

// The largest message with which no offset is too large.
std::uint64_t most_bytes(const ExecutionPlan& plan, std::uint64_t whole) {
  std::uint64_t chunks = 1;
  for (const programs::PlanRank& rank : plan.ranks)
    chunks =
        std::max<std::uint64_t>({chunks, rank.input, rank.output, plan.packets() ? 2 * rank.scratch : rank.scratch});
  return most_offset / chunks * whole;
}

// A plan is for messages of whole units of each chunk's part.
void fill_head(const ExportInput& input, ExecutionPlan& plan) {
  const SendTable& table = input.table;
  const std::uint64_t whole = call_chunks(table.collective);
  plan.name = table.schedule.empty() ? table.collective.notation() : table.schedule;
  if (!input.plan.name.empty()) plan.name = input.plan.name;
  plan.collective = to_string(family_of(table.collective));
  plan.protocol = input.plan.packets() ? "LL" : "Simple";
  plan.in_place = input.plan.in_place;
  plan.bytes_from = std::max(input.bytes.least, plan.alignment * whole * input.plan.instances);
  plan.bytes_to = most_bytes(plan, whole);
  if (input.bytes.most != 0) plan.bytes_to = std::min(plan.bytes_to, input.bytes.most);
}

}  // namespace

Result<ExportOutcome> export_mscclpp(const ExportInput& input, const Sink& sink) {
  const std::uint32_t near = input.plan.ranks_per_node;
  if (input.plan.packets() && near != 0 && near < input.table.fabric.processors())
    return error_at({}, "mscclpp: LL: packets go by memory channels, and ranks of different nodes have ports",
                    Code::unsupported);
  const Result<std::vector<ProcessorProgram>> ranks = rank_programs(input.table, msccl_calls(), input.limits);
  if (!ranks) return ranks.diagnostics();
  Result<ExecutionPlan> plan = mscclpp_program(*ranks, input.plan, input.limits);
  if (!plan) return plan.diagnostics();
  fill_head(input, *plan);
  if (plan->bytes_to < plan->bytes_from) {
    return error_at({},
                    fmt::format("mscclpp: limits: messages of at least {} bytes are needed, that each block has {} of "
                                "each chunk; and of at most {}",
                                plan->bytes_from, plan->alignment, plan->bytes_to),
                    Code::unsupported);
  }
  ExportOutcome notes{{"steps are kept by each rank with those that it hears from, and by no others"}};
  const std::uint32_t root = input.table.collective.description().root;
  if (root != 0) {
    notes.notes.push_back(
        fmt::format("the plan does not say the root: it is right for calls of root {}, and for no others", root));
  }
  const programs::ProgramReport report = programs::judge_plan(*plan, {.listed = 1, .limits = input.limits});
  Result<ExportOutcome> outcome = judged_outcome(report, "mscclpp", Unproved::noted, std::move(notes));
  if (outcome && input.table.fabric.has_switches()) outcome->notes.push_back(left_out_switches());
  if (outcome) sink(programs::write_execution_plan(*plan));
  return outcome;
}

}  // namespace quadrille::exporting
