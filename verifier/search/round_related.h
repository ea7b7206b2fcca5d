// These functions turn one collective's schedule in rounds into another's; messages stay together (related.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "model/send_table.h"

namespace quadrille::searching {

// Returns the same messages with their packets renamed. Requires that the table says nothing of partial reductions.
SendTable renamed_table(const SendTable& table, const Collective& collective,
                        const std::function<ChunkId(ChunkId)>& name);

// Returns the schedule of a broadcast or allgather, time-reversed, as one of the reduction or reduce_scatter. Requires
// links of the same capacity in both directions.
std::optional<SendTable> time_reversed_in_rounds(const SendTable& copying, const Collective& combining);

// Returns the allreduce that consists of a reduction, or reduce_scatter, and then a broadcast, or allgather. A message
// to several becomes one to each. Returns nothing where messages of the second part begin or end at switches.
std::optional<SendTable> joined_in_rounds(const SendTable& combining, const SendTable& copying,
                                          const Collective& allreduce, std::string name);

}  // namespace quadrille::searching
