// A table as MSCCL XML: each processor's program, on the buffers of a call, in thread blocks; then judged.
#include "export/msccl.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "export/judged_program.h"
#include "export/msccl_program.h"
#include "export/rank_memory.h"
#include "programs/judge.h"
#include "programs/msccl/load.h"

namespace quadrille::exporting {
namespace {

using programs::MscclFile;
using programs::ProgramFamily;
using programs::ProgramProperty;
using programs::ProgramVerdict;

// The collectives that files can name.
constexpr auto families = std::to_array<std::pair<CollectiveKind::Known, ProgramFamily>>({
    {CollectiveKind::Known::broadcast, ProgramFamily::broadcast},
    {CollectiveKind::Known::allgather, ProgramFamily::allgather},
    {CollectiveKind::Known::total_exchange, ProgramFamily::alltoall},
    {CollectiveKind::Known::reduce, ProgramFamily::reduce},
    {CollectiveKind::Known::reduce_scatter, ProgramFamily::reducescatter},
    {CollectiveKind::Known::allreduce, ProgramFamily::allreduce},
});

// Executors take a file for messages of minBytes to maxBytes, both included. Where 0 is no end to them, the largest
// number is one.
void fill_range(const WholeBytes& bytes, const programs::Executor& executor, MscclFile& file) {
  if (!executor.needs_ranges && bytes.least == 0 && bytes.most == 0) return;
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  const auto limited = [](std::uint64_t size) {
    return static_cast<std::int64_t>(std::min(size, static_cast<std::uint64_t>(largest)));
  };
  file.least_bytes = limited(bytes.least);
  file.most_bytes = bytes.most == 0 && executor.checks_ranges ? largest : limited(bytes.most);
}

void fill_head(const ExportInput& input, const programs::Executor& executor, MscclFile& file) {
  const SendTable& table = input.table;
  file.name = table.schedule.empty() ? table.collective.notation() : table.schedule;
  file.collective = to_string(family_of(table.collective));
  if (executor.name == "msccl" && family_of(table.collective) == ProgramFamily::reducescatter)
    file.collective = "reduce_scatter";
  file.chunks = static_cast<std::int64_t>(call_chunks(table.collective));
  if (executor.needs_ranges) file.out_of_place = true;
  fill_range(input.bytes, executor, file);
}

// The judgement of the file as its executor would run it. A property that holds only under a condition is a note.
Result<ExportOutcome> judged(const MscclFile& file, const programs::MscclCall& call, const Limits& limits) {
  programs::LoadedMsccl loaded = programs::load_msccl(file, call, 1);
  // A file that an executor would refuse need not be judged for all its timings.
  const bool refused_anyway = loaded.report.of(ProgramProperty::limits).verdict == ProgramVerdict::violated;
  if (!refused_anyway) programs::judge(loaded.program, loaded.report, {1, limits});
  ExportOutcome outcome;
  outcome.notes.emplace_back("steps are left out: each send begins as soon as what it waits for is there");
  if (call.root != 0) {
    outcome.notes.push_back(
        fmt::format("the file does not say the root: it is right for calls of root {}, as `check --collective {}:{}` "
                    "judges it, and for no others",
                    call.root, file.collective, call.root));
  }
  return judged_outcome(loaded.report, call.executor->name, Unproved::refused, std::move(outcome));
}

}  // namespace

const RankCalls& msccl_calls() {
  static const RankCalls calls = [] {
    RankCalls all;
    for (const auto& [kind, family] : families) all.collectives.emplace_back(kind);
    return all;
  }();
  return calls;
}

programs::ProgramFamily family_of(const Collective& collective) {
  const CollectiveKind::Known kind = collective.kind();
  const auto found = std::ranges::find(families, kind, &std::pair<CollectiveKind::Known, ProgramFamily>::first);
  return found == families.end() ? ProgramFamily::other : found->second;
}

Result<ExportOutcome> export_msccl(const ExportInput& input, const Sink& sink) {
  programs::MscclCall call;
  call.executor = programs::executor_named(input.consumer.empty() ? "rccl" : input.consumer);
  call.root = input.table.collective.description().root;
  Result<std::vector<ProcessorProgram>> ranks = rank_programs(input.table, msccl_calls(), input.limits);
  if (!ranks) return ranks.diagnostics();
  Result<MscclFile> file = msccl_program(*std::move(ranks), *call.executor, input.limits);
  if (!file) return file.diagnostics();
  fill_head(input, *call.executor, *file);
  Result<ExportOutcome> outcome = judged(*file, call, input.limits);
  if (outcome && input.table.fabric.has_switches()) outcome->notes.push_back(left_out_switches());
  if (outcome) sink(programs::write_msccl_xml(*file));
  return outcome;
}

}  // namespace quadrille::exporting
