// Turns one collective's schedule in rounds into another collective's. Messages stay together (related.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "model/send_table.h"

namespace quadrille::searching {

// The table with the same messages and their packets renamed. Requires a table whose rows do not name partial
// reductions (ReductionUse).
SendTable renamed_table(const SendTable& table, const Collective& collective,
                        const std::function<ChunkId(ChunkId)>& name);

// The schedule of a broadcast or allgather, with time reversed, as one of the reduction or reduce_scatter. Requires
// links that are alike both ways.
std::optional<SendTable> time_reversed_in_rounds(const SendTable& copying, const Collective& combining);

// The allreduce that does a reduction or reduce_scatter first, and then a broadcast or allgather. A message of the
// second part to several receivers becomes one message to each. Nothing where messages of the second part begin or
// end at switches.
std::optional<SendTable> joined_in_rounds(const SendTable& combining, const SendTable& copying,
                                          const Collective& allreduce, std::string name);

}  // namespace quadrille::searching
