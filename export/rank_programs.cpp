// Transmissions are read once, for all processors; then each gets its program, on the buffers of a call.
#include "export/rank_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "export/program.h"
#include "export/rank_memory.h"
#include "export/transmissions.h"

namespace quadrille::exporting {
namespace {

Diagnostic unsupported(std::string why) { return error_at({}, std::move(why), Code::unsupported); }

// "broadcast, allgather or reduce".
std::string listed(const std::vector<CollectiveKind>& kinds) {
  std::string text;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == kinds.size() ? " or " : ", ", to_string(kinds[i]));
  return text;
}

std::optional<Diagnostic> refused(const SendTable& table, const RankCalls& calls) {
  const Collective& collective = table.collective;
  if (std::ranges::find(calls.collectives, collective.kind()) == calls.collectives.end()) {
    return unsupported(
        fmt::format("{} cannot be said there; expected a {}", collective.notation(), listed(calls.collectives)));
  }
  if (collective.combining() && collective.ordered() && !calls.ordered)
    return unsupported("what is sent there is added in any order; the collective's operation is ordered");
  return std::nullopt;
}

// Of what each chunk takes until a file is written: the transmission, both ends' operations, and what they become.
constexpr std::uint64_t bytes_of_a_transmission = 1024;

// By processor.
using Transmissions = std::vector<std::vector<Transmission>>;

// Of each step the sends, then the receptions.
void put_in_order(std::vector<Transmission>& list) {
  const auto before = [](const Transmission& a, const Transmission& b) {
    const auto receives = [](const Transmission& it) { return it.action != Action::send; };
    return std::pair(a.step, receives(a)) < std::pair(b.step, receives(b));
  };
  if (!std::ranges::is_sorted(list, before)) std::ranges::stable_sort(list, before);
}

Result<Transmissions> transmissions_of(const SendTable& table, const Limits& limits, TableReductions& words) {
  const std::uint32_t processors = table.fabric.processors();
  const std::uint64_t most = limits.memory / bytes_of_a_transmission;
  Transmissions all(processors);
  std::uint64_t count = 0;
  const auto visit = [&](NodeId processor, const Transmission& it) {
    if (++count <= most) all[processor.value].push_back(it);
  };
  if (auto wrong = read_transmissions(table, {0, processors}, limits, visit, words)) return *std::move(wrong);
  if (count > most)
    return error_at({}, fmt::format("{} sends and receptions need more memory than the limit", count), Code::limit);
  for (std::vector<Transmission>& list : all) put_in_order(list);
  return all;
}

}  // namespace

Result<std::vector<ProcessorProgram>> processor_programs(const SendTable& table, const Limits& limits) {
  TableReductions words;
  const Result<Transmissions> all = transmissions_of(table, limits, words);
  if (!all) return all.diagnostics();
  std::vector<ProcessorProgram> programs;
  for (std::uint32_t processor = 0; processor < all->size(); ++processor) {
    Result<ProcessorProgram> program = program_of(table, NodeId(processor), (*all)[processor], words, limits);
    if (!program) return program.diagnostics();
    programs.push_back(*std::move(program));
  }
  return programs;
}

Result<std::vector<ProcessorProgram>> rank_programs(const SendTable& table, const RankCalls& calls,
                                                    const Limits& limits) {
  if (auto wrong = refused(table, calls)) return *std::move(wrong);
  Result<std::vector<ProcessorProgram>> programs = processor_programs(table, limits);
  if (!programs || table.collective.listed()) return programs;
  for (ProcessorProgram& program : *programs) {
    Result<ProcessorProgram> on_buffers = on_call_buffers(program, table, limits);
    if (!on_buffers) return on_buffers.diagnostics();
    program = *std::move(on_buffers);
  }
  return programs;
}

std::string left_out_switches() {
  return "switches are left out: what passes them is one send for each receiver, from the processor that it left";
}

}  // namespace quadrille::exporting
