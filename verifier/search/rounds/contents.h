// Origins say which chunks and contributions must come where, in rounds, whatever the length of messages
// (verifier/ROUNDS_FORMULA.md).
#pragma once

#include <cstdint>
#include <vector>

#include "model/collective.h"

namespace quadrille::searching {

// Chunks that start at the same processors are always at the same places, as messages bring all that their senders
// have. So are the contributions of a processor in a combining collective.
struct Origin {
  std::vector<std::uint32_t> starts;  // increasing
  std::vector<std::uint32_t> wanted;  // increasing; where any of its chunks, or contributions, is wanted
  std::uint64_t value = 0;            // where lengths count: the chunk, or the value that is contributed to
};

// Returns the origins in the order of `starts`, without those that have no demands.
std::vector<Origin> origins_of(const Collective& collective);

// Returns the origins, with time reversed, of a combining collective whose messages join (joins.h): an origin for each
// processor that wants contributions of others, and this origin must come to all of these.
std::vector<Origin> time_reversed_origins(const Collective& collective);

// Returns, where lengths count, an origin for each chunk with a demand, by number, or for each value and each
// contribution to it.
std::vector<Origin> origins_by_value(const Collective& collective);

// Returns the processors at which a chunk starts, as in Origin.
std::vector<std::uint32_t> starts_of(const Collective& collective, ChunkId chunk);

}  // namespace quadrille::searching
