// What one collective's schedule in rounds is for another: messages stay together (related.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "model/send_table.h"

namespace quadrille::searching {

// The same messages, their packets renamed. Requires that the table says nothing of words.
SendTable renamed_table(const SendTable& table, const Collective& collective,
                        const std::function<ChunkId(ChunkId)>& name);

// The broadcast's or allgather's, with time reversed, as one of the reduction or reduce_scatter. Requires links that
// are alike both ways.
std::optional<SendTable> time_reversed_in_rounds(const SendTable& copying, const Collective& combining);

// The allreduce of a reduction, or reduce_scatter, and then a broadcast, or allgather. A message to several is one to
// each. Nothing where messages of the second begin or end at switches.
std::optional<SendTable> joined_in_rounds(const SendTable& combining, const SendTable& copying,
                                          const Collective& allreduce, std::string name);

}  // namespace quadrille::searching
