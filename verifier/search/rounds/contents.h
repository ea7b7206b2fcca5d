// Origins say what must come where in rounds, whatever the length of messages is (verifier/ROUNDS_FORMULA.md).
#pragma once

#include <cstdint>
#include <vector>

#include "model/collective.h"

namespace quadrille::searching {

// An origin stands for the chunks that start at the same processors. They are always at the same places, because a
// message brings everything that its sender has. In a combining collective, it stands for the contributions of a
// processor.
struct Origin {
  std::vector<std::uint32_t> starts;  // increasing
  std::vector<std::uint32_t> wanted;  // increasing; processors that want any of its chunks, or contributions
  std::uint64_t value = 0;            // where lengths count: the chunk, or the value that is contributed to
};

// The origins that have demands, in the order of `starts`.
std::vector<Origin> origins_of(const Collective& collective);

// The origins of a combining collective whose messages join (joins.h), with time reversed. There is an origin for
// each processor that wants others' contributions; it is to come to all of these others.
std::vector<Origin> time_reversed_origins(const Collective& collective);

// The origins where lengths count: one for each chunk with a demand, by number, or one for each value and each
// contribution to it.
std::vector<Origin> origins_by_value(const Collective& collective);

// The processors at which a chunk starts, increasing.
std::vector<std::uint32_t> starts_of(const Collective& collective, ChunkId chunk);

}  // namespace quadrille::searching
