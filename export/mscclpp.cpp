// A table as an MSCCL++ execution plan: each processor's program, on the buffers of a call, in thread blocks; then
// judged.
#include "export/mscclpp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "export/judged_program.h"
#include "export/msccl.h"
#include "export/mscclpp_program.h"
#include "export/rank_programs.h"
#include "model/layout/servers.h"
#include "motion/moves.h"
#include "programs/mscclpp/judge.h"
#include "programs/mscclpp/write_plan.h"

namespace quadrille::exporting {
namespace {

using programs::ExecutionPlan;

constexpr std::uint64_t most_offset = 0xffffffff;  // bytes: the executor keeps offsets in 32 bits

// The largest message with which no offset is too large.
std::uint64_t most_bytes(const ExecutionPlan& plan, std::uint64_t compared) {
  std::uint64_t chunks = 1;
  for (const programs::PlanRank& rank : plan.ranks)
    chunks =
        std::max<std::uint64_t>({chunks, rank.input, rank.output, plan.packets() ? 2 * rank.scratch : rank.scratch});
  return most_offset / chunks * compared;
}

// A plan is for messages of whole units of each chunk's part. Executors compare sizes with the input, of an all-gather
// with the output.
void fill_head(const ExportInput& input, ExecutionPlan& plan) {
  const SendTable& table = input.table;
  const programs::ProgramFamily family = family_of(table.collective);
  const programs::PlanRank& rank = plan.ranks.front();
  const std::uint64_t whole = std::max(rank.input, rank.output);
  const std::uint64_t compared = family == programs::ProgramFamily::allgather ? rank.output : rank.input;
  const auto bytes = [&](std::uint64_t of_whole) { return compared == whole ? of_whole : of_whole / whole * compared; };
  plan.name = table.schedule.empty() ? table.collective.notation() : table.schedule;
  if (!input.plan.name.empty()) plan.name = input.plan.name;
  plan.collective = family == programs::ProgramFamily::other ? "custom" : to_string(family);
  plan.protocol = input.plan.packets() ? "LL" : "Simple";
  plan.in_place = input.plan.in_place;
  plan.bytes_from = std::max(bytes(input.bytes.least), plan.alignment * compared * input.plan.instances);
  plan.bytes_to = most_bytes(plan, compared);
  if (input.bytes.most != 0) plan.bytes_to = std::min(plan.bytes_to, bytes(input.bytes.most));
}

// The collectives of MSCCL, and all others that leave something in outputs: a barrier leaves nothing. A prefix is of
// the order of ranks; sums that are to have one otherwise are refused.
RankCalls plan_calls(const Collective& collective) {
  RankCalls calls = msccl_calls();
  const std::optional<DemandShape>& shape = collective.shape();
  const bool sayable = collective.combining() ? shape && !collective.idempotent() : shape || collective.listed();
  if (sayable) calls.collectives.push_back(collective.kind());
  calls.ordered = shape && shape->by_rank();
  return calls;
}

// All calls have buffers of one size. Those of collectives that list their chunks have as many as any rank needs.
void make_alike(std::vector<ProcessorProgram>& ranks) {
  std::uint64_t input = 1;
  std::uint64_t output = 1;
  for (const ProcessorProgram& rank : ranks) {
    input = std::max(input, rank.input);
    output = std::max(output, rank.output);
  }
  for (ProcessorProgram& rank : ranks) {
    rank.input = input;
    rank.output = output;
  }
}

// What is not said of nodes is what the fabric is like.
PlanChoices choices_of(const ExportInput& input) {
  PlanChoices choices = input.plan;
  if (choices.ranks_per_node == 0) choices.ranks_per_node = processors_of_a_node(input.table.fabric);
  return choices;
}

// Whether the plan is the one all-reduce that GPUs have their switches do. What else switches add up is refused.
bool sums_in_switch(const SendTable& table) {
  return joins_in_switches(table) && family_of(table.collective) == programs::ProgramFamily::allreduce &&
         !table.collective.ordered() && table.fabric.processors() > 1;
}

std::optional<Diagnostic> refused(const ExportInput& input, const PlanChoices& choices) {
  const Collective& collective = input.table.collective;
  const bool several = choices.ranks_per_node < input.table.fabric.processors();
  if (choices.packets() && several)
    return error_at({}, "mscclpp: LL: packets go by memory channels, and ranks of different nodes have ports",
                    Code::unsupported);
  if (sums_in_switch(input.table) && (choices.packets() || several))
    return error_at({}, "mscclpp: sums in the switch: ranks of one node have them, and with the protocol Simple",
                    Code::unsupported);
  if (choices.in_place && family_of(collective) == programs::ProgramFamily::other)
    return error_at({}, fmt::format("mscclpp: calls of {} in place are not known", collective.notation()),
                    Code::unsupported);
  return std::nullopt;
}

Result<ExecutionPlan> plan_of(const ExportInput& input, const PlanChoices& choices) {
  if (sums_in_switch(input.table)) return switch_plan(input.table.fabric.processors(), choices);
  Result<std::vector<ProcessorProgram>> ranks =
      rank_programs(input.table, plan_calls(input.table.collective), input.limits);
  if (!ranks) return ranks.diagnostics();
  make_alike(*ranks);
  return mscclpp_program(*ranks, choices, input.limits);
}

}  // namespace

Result<ExportOutcome> export_mscclpp(const ExportInput& input, const Sink& sink) {
  const PlanChoices choices = choices_of(input);
  if (auto wrong = refused(input, choices)) return *std::move(wrong);
  Result<ExecutionPlan> plan = plan_of(input, choices);
  if (!plan) return plan.diagnostics();
  fill_head(input, *plan);
  if (plan->bytes_to < plan->bytes_from) {
    return error_at({},
                    fmt::format("mscclpp: limits: messages of at least {} bytes are needed, that each block has {} of "
                                "each chunk; and of at most {}",
                                plan->bytes_from, plan->alignment, plan->bytes_to),
                    Code::unsupported);
  }
  ExportOutcome notes{{sums_in_switch(input.table)
                           ? "the table's steps are left out: each rank has the switch add up a part, and store it in "
                             "all outputs (NVLS, on GPUs of sm_90 and later)"
                           : "steps are kept by each rank with those that it hears from, and by no others"}};
  if (input.plan.ranks_per_node == 0 && choices.ranks_per_node < plan->ranks.size()) {
    notes.notes.push_back(
        fmt::format("each {} ranks are of one node and use memory channels, and others ports; "
                    "--ranks-per-node may say otherwise",
                    choices.ranks_per_node));
  }
  const std::uint32_t root = input.table.collective.description().root;
  if (root != 0) {
    notes.notes.push_back(
        fmt::format("the plan does not say the root: it is right for calls of root {}, and for no others", root));
  }
  const programs::ProgramReport report =
      programs::judge_plan(*plan, {.listed = 1, .limits = input.limits, .root = root});
  Result<ExportOutcome> outcome = judged_outcome(report, "mscclpp", Unproved::noted, std::move(notes));
  if (outcome && input.table.fabric.has_switches() && !sums_in_switch(input.table))
    outcome->notes.push_back(left_out_switches());
  if (outcome) sink(programs::write_execution_plan(*plan));
  return outcome;
}

}  // namespace quadrille::exporting
