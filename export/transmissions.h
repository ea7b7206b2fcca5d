// Every processor's transmissions, read from a table in one go.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "export/program.h"
#include "model/limits/limits.h"
#include "model/text/diagnostic.h"

namespace quadrille::exporting {

// Processors begin … end-1.
struct ProcessorRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool contains(NodeId node) const { return node.value >= begin && node.value < end; }
};

using VisitTransmission = std::function<void(NodeId processor, const Transmission& transmission)>;

// Visits the transmissions of the processors in range, with peers as Peers::processor says: step by step, of each step
// the sends before the receptions; but a send through switches when it arrives, once for each receiver. Nothing, or why
// that cannot be done: a limit, or a table that breaks the model's rules. Of combining collectives, also what becomes
// of arrivals, and in `words` what the processors in range send and end with. Cost: linear in the rows; where packets
// combine, the sets that are joined, and memory for them.
std::optional<Diagnostic> read_transmissions(const SendTable& table, const ProcessorRange& range, const Limits& limits,
                                             const VisitTransmission& visit, TableReductions& words);

// Likewise, with peers as Peers::neighbour says. The visitor may make the range smaller, and is told no more of those
// that have left it. Where packets combine, as many values at a time are followed as there is memory for, and the table
// is read once for each group of them: the transmissions of a processor come group by group, so they must be put in
// order (put_values_in_order). `begin_again` is called when a group is found to be too large: all that was visited is
// visited once more, perhaps in other groups. `most_values`: there are no more in a group. Cost: where packets combine,
// for each group a reading of the table, the sets that are joined, and for each of its values at each processor 8
// bytes, or the intervals of its set.
std::optional<Diagnostic> read_neighbour_transmissions(const SendTable& table, const ProcessorRange& range,
                                                       const Limits& limits, const VisitTransmission& visit,
                                                       const std::function<void()>& begin_again, TableReductions& words,
                                                       std::uint32_t most_values = 0xffffffff);

// Puts one processor's transmissions in the order that they have where all values are one group: step by step, of each
// step the sends, then the receptions, both by `order`.
void put_values_in_order(std::vector<Transmission>& transmissions);

}  // namespace quadrille::exporting
