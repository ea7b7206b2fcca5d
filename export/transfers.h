// What ranks send one another and copy, as programs of other systems say it: stretches of neighbouring chunks.
#pragma once

#include <cstdint>
#include <vector>

#include "export/rank_memory.h"
#include "model/text/result.h"

namespace quadrille::exporting {

// `count` chunks from `source` on, to `target` and after. The fields mean what they mean in ChunkOperation.
struct ChunkTransfer {
  programs::Kind kind = programs::Kind::send;
  StepId step;
  NodeId peer;
  LaneId lane;
  BufferCell source;
  BufferCell target;
  std::int64_t count = 1;
};

// By rank, in order. What moves between two ranks over one lane is sent in the order in which it is received. Chunks
// that move side by side in one step, from neighbouring places to neighbouring ones, are one transfer at both ends, of
// at most `most` chunks; so are copies. Or what does not fit together: a reception without its send, or a
// message that ends or begins in a switch; or the limit that was reached. Cost: linear, but for the logarithm of a
// connection's sends.
Result<std::vector<std::vector<ChunkTransfer>>> transfers(const std::vector<RankProgram>& ranks, std::int64_t most,
                                                          const Limits& limits);

}  // namespace quadrille::exporting
