// What processors hold after each step, for people: replay --show buffers.
#pragma once

#include <cstdint>
#include <vector>

#include "model/limits/limits.h"
#include "model/send_table.h"
#include "model/text/result.h"

namespace quadrille {

// Of one processor, oldest first.
struct ShownBuffer {
  std::vector<ChunkId> waiting;  // to be sent in a later step
  std::vector<ChunkId> held;     // the others
  bool operator==(const ShownBuffer&) const = default;
};

struct ShownStep {
  StepId step{0};  // 0: before the first; in rounds, the round
  std::vector<ShownBuffer> processors;
};

// So many chunks, of all processors and steps together, can be shown.
inline constexpr std::uint64_t most_shown = 1'000'000;

// Only steps in which something arrives or leaves are listed, and the beginning. An error where contributions are
// combined, or where there is more to show than that. The reason where the limits end it.
struct ShownBuffers {
  std::vector<ShownStep> steps;
  Reason reason = Reason::none;
};
Result<ShownBuffers> buffers_of(const SendTable& table, const Limits& limits);

}  // namespace quadrille
