// Every processor's transmissions, read from a table in one go.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

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

// Visits the transmissions of the processors in range: step by step, of each step the sends before the receptions; but
// a send through switches to a processor, Peers::processor, when it arrives, once for each receiver. The visitor may
// make the range smaller, and is told no more of those that have left it. Nothing, or why that cannot be done: a limit,
// or a table that breaks the model's rules. Of combining collectives, also what becomes of arrivals, and in `words`
// what the processors in range send and end with. Cost: linear in the rows; where packets combine, the sets that are
// joined, and memory for them.
std::optional<Diagnostic> read_transmissions(const SendTable& table, const ProcessorRange& range, const Limits& limits,
                                             const VisitTransmission& visit, TableReductions& words,
                                             Peers peers = Peers::neighbour);

}  // namespace quadrille::exporting
