// Needs count the units that every schedule must carry into and out of a processor, or a group of processors.
//
// A unit is a chunk (copying) or a value (combining); one row carries one unit. A chunk that a processor wants and
// lacks must come in at least once; a chunk that it alone holds and another wants must go out at least once. A value
// must come in at least once where a partial reduction with others' contributions is wanted, and must go out at least
// once where others want the processor's own contribution. Copying and combining on the way change nothing in that,
// so these counts hold for all schedules.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "model/collective.h"
#include "model/distances.h"
#include "model/fabric.h"
#include "model/limits/limits.h"

namespace quadrille::bounds {

inline constexpr std::uint32_t far = unreachable;  // no path leads there

// Numbers of units by distance. In: the hops to the nearest holder of the chunk, or to the farthest contributor to
// the partial reduction; the unit cannot arrive earlier. Out: the hops to the farthest processor that needs the unit,
// which must leave so many steps before the end. A distance of 0 is no need.
using Distances = std::map<std::uint32_t, std::uint64_t>;

struct ProcessorNeeds {
  NodeId processor;
  Distances in;
  Distances out;
};

// The needs of the processors that can matter. These are all processors; or processor 0 only, if fabric and
// collective look the same from every processor; or a few, if all would take too long. `all_alike`: the second case.
// `complete`: no processor with needs was left out, except for being alike.
struct NeedsOfAll {
  std::vector<ProcessorNeeds> needs;
  bool all_alike = false;
  bool complete = true;
};
// If the limits are reached, the result holds the needs found until then, of at least one processor: fewer needs, but
// no wrong ones.
NeedsOfAll needs_of(const Fabric& fabric, const Collective& collective, const Limits& limits);

}  // namespace quadrille::bounds
