// Needs: what every schedule must carry into and out of a processor, or a group of processors.
//
// A unit is a chunk (copying) or a value (combining): one row carries one unit. A chunk that a processor lacks and
// wants must come in at least once; one that it alone holds and another wants must go out at least once. A value comes
// in at least once where a partial reduction with others' contributions is wanted, and goes out at least once where
// others want one's own contribution. Copying and combining on the way change nothing in that, so what is counted here
// holds for all schedules.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "model/collective.h"
#include "model/distances.h"
#include "model/fabric.h"
#include "model/limits/limits.h"

namespace quadrille::bounds {

inline constexpr std::uint32_t far = unreachable;  // no way leads there

// Numbers of units by distance. In: the hops to the nearest holder of the chunk, or to the farthest contributor to what
// is wanted: no earlier can it come. Out: the hops to the farthest who needs it: that many steps before the end it has
// left. A distance of 0 is no need.
using Distances = std::map<std::uint32_t, std::uint64_t>;

struct ProcessorNeeds {
  NodeId processor;
  Distances in;
  Distances out;
};

// The needs of the processors that can matter: of all of them, but where a fabric and a collective look the same from
// every processor, of processor 0 only; and where all of them would take too long, of a few. `all_alike`: the first
// case; `complete`: no processor with needs was left out but for being alike.
struct NeedsOfAll {
  std::vector<ProcessorNeeds> needs;
  bool all_alike = false;
  bool complete = true;
};
// Where the limits are reached, the needs that were found by then, of one processor at least: fewer needs, no wrong
// ones.
NeedsOfAll needs_of(const Fabric& fabric, const Collective& collective, const Limits& limits);

}  // namespace quadrille::bounds
