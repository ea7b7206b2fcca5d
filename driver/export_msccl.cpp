// A table as MSCCL XML: each processor's program, on the buffers of a call, in thread blocks; then judged.
#include "driver/export_msccl.h"

#include <fmt/format.h>

#include <utility>

#include "driver/msccl_program.h"
#include "driver/program.h"
#include "driver/rank_memory.h"
#include "driver/transmissions.h"
#include "programs/judge.h"
#include "programs/load_msccl.h"

namespace quadrille::driver {
namespace {

using programs::Family;
using programs::MscclFile;
using programs::Property;
using programs::Ruling;

// By processor.
using Transmissions = std::vector<std::vector<Transmission>>;

Diagnostic refused(const std::string& why) {
  return error_at({}, fmt::format("--to msccl: {}", why), Code::unsupported);
}

// What no file can say, whatever the sends are.
std::optional<Diagnostic> refused(const SendTable& table) {
  if (family_of(table.collective) == Family::other) {
    return refused(fmt::format(
        "executors know no {}; expected broadcast, allgather, total_exchange, reduce, reduce_scatter or allreduce",
        table.collective.notation()));
  }
  if (table.collective.combining() && table.collective.ordered())
    return refused("executors add up in any order; the collective's operation is ordered");
  const bool steps = table.fabric.rules().timing == Timing::steps;
  if (steps && table.fabric.nodes() > table.fabric.processors()) {
    return refused(fmt::format("{} has switches, which no executor knows; try --on complete:{} --retime",
                               table.fabric.title(), table.fabric.processors()));
  }
  return std::nullopt;
}

// Of what each chunk takes until the file is written: the transmission, both ends' operations, and steps.
constexpr std::uint64_t bytes_of_a_transmission = 1024;

Result<Transmissions> transmissions_of(const ExportInput& input, TableWords& words) {
  const std::uint32_t processors = input.table.fabric.processors();
  const std::uint64_t most = input.limits.memory / bytes_of_a_transmission;
  Transmissions all(processors);
  std::uint64_t count = 0;
  const auto visit = [&](NodeId processor, const Transmission& it) {
    if (++count <= most) all[processor.value].push_back(it);
  };
  if (auto wrong = read_transmissions(input.table, {0, processors}, input.limits, visit, words))
    return *std::move(wrong);
  if (count > most)
    return error_at({}, fmt::format("{} sends and receptions need more memory than the limit", count), Code::limit);
  return all;
}

Result<MscclFile> file_of(const ExportInput& input) {
  TableWords words;
  const Result<Transmissions> all = transmissions_of(input, words);
  if (!all) return all.diagnostics();
  std::vector<RankProgram> ranks;
  for (std::uint32_t rank = 0; rank < all->size(); ++rank) {
    const auto program = program_of(input.table, NodeId(rank), (*all)[rank], words);
    if (!program) return program.diagnostics();
    Result<RankProgram> on_buffers = rank_program(*program, input.table);
    if (!on_buffers) return refused(on_buffers.diagnostics().front().message);
    ranks.push_back(*std::move(on_buffers));
  }
  return msccl_program(std::move(ranks), input.limits);
}

void fill_head(const SendTable& table, const programs::Executor& executor, MscclFile& file) {
  file.name = table.schedule.empty() ? table.collective.notation() : table.schedule;
  file.collective = to_string(family_of(table.collective));
  if (executor.name == "msccl" && family_of(table.collective) == Family::reducescatter)
    file.collective = "reduce_scatter";
  file.chunks = static_cast<std::int64_t>(call_chunks(table.collective));
  if (!executor.needs_ranges) return;
  file.out_of_place = true;
  file.least_bytes = 0;
  file.most_bytes = 0;
}

std::string first_finding(const programs::Judgement& judgement, Property property) {
  for (const programs::Finding& finding : judgement.findings) {
    if (finding.property == property) return finding.message;
  }
  return judgement.of(property).why;
}

// What an executor would make of the file. What holds only under a condition is a note.
Result<ExportOutcome> judged(const MscclFile& file, const programs::MscclCall& call, const Limits& limits) {
  programs::LoadedMsccl loaded = programs::load_msccl(file, call, 1);
  programs::judge(loaded.program, loaded.judgement, {1, limits});
  ExportOutcome outcome;
  outcome.notes.emplace_back("steps are left out: each send begins as soon as what it waits for is there");
  for (std::size_t i = 0; i < programs::property_count; ++i) {
    const auto property = static_cast<Property>(i);
    const programs::PropertyRuling& ruling = loaded.judgement.of(property);
    if (ruling.ruling == Ruling::holds) continue;
    const std::string what =
        fmt::format("{}: {}: {}", call.executor->name, to_string(property), first_finding(loaded.judgement, property));
    if (property == Property::agreement || ruling.ruling == Ruling::conditional) {
      outcome.notes.push_back(what);
    } else if (ruling.ruling == Ruling::unknown && ruling.reason != Reason::none) {
      return error_at({}, fmt::format("nothing has been written: judging it: {}", to_string(ruling.reason)),
                      code_of(ruling.reason));
    } else {
      return refused(what);
    }
  }
  return outcome;
}

}  // namespace

Result<ExportOutcome> export_msccl(const ExportInput& input, const Sink& sink) {
  if (auto wrong = refused(input.table)) return *std::move(wrong);
  programs::MscclCall call;
  call.executor = programs::executor_named(input.consumer.empty() ? "rccl" : input.consumer);
  call.root = input.table.collective.description().root;
  Result<MscclFile> file = file_of(input);
  if (!file) return file.diagnostics();
  fill_head(input.table, *call.executor, *file);
  Result<ExportOutcome> outcome = judged(*file, call, input.limits);
  if (outcome) sink(programs::write_msccl_xml(*file));
  return outcome;
}

}  // namespace quadrille::driver
