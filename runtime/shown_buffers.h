// The contents of processors after each step, for people: replay --show buffers.
#pragma once

#include <cstdint>
#include <vector>

#include "model/limits/limits.h"
#include "model/send_table.h"
#include "model/text/result.h"

namespace quadrille {

// The chunks of one processor, oldest first.
struct ShownBuffer {
  std::vector<ChunkId> waiting;  // to be sent in a later step
  std::vector<ChunkId> held;     // the others
  bool operator==(const ShownBuffer&) const = default;
};

struct ShownStep {
  StepId step{0};  // 0: before the first; in rounds, the round
  std::vector<ShownBuffer> processors;
};

// The largest number of chunks, of all processors and steps together, that can be shown.
inline constexpr std::uint64_t most_shown = 1'000'000;

// Lists the beginning, and the steps in which something arrives or leaves. Error: contributions are combined, or
// there is more to show than most_shown. `reason`: the limit that ended the list early.
struct ShownBuffers {
  std::vector<ShownStep> steps;
  Reason reason = Reason::none;
};
Result<ShownBuffers> buffers_of(const SendTable& table, const Limits& limits);

}  // namespace quadrille
