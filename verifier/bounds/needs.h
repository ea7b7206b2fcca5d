// Needs count the units that every schedule must carry into and out of a processor, or a group of processors.
//
// A unit is a chunk (copying) or a value (combining): one row carries one unit. A chunk that a processor lacks and
// wants must come in at least once; one that it alone holds and another wants must go out at least once. A value comes
// in at least once where a partial reduction with others' contributions is wanted, and goes out at least once where
// others want the processor's own contribution. Copying and combining on the way do not change this, so these counts
// hold for all schedules.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "model/collective.h"
#include "model/distances.h"
#include "model/fabric.h"
#include "model/limits/limits.h"

namespace quadrille::bounds {

inline constexpr std::uint32_t far = unreachable;  // no route leads there

// Numbers of units by distance. For units that come in, the distance is the hops to the nearest holder of the chunk, or
// to the farthest contributor to the wanted value: the unit cannot come earlier. For units that go out, it is the hops
// to the farthest processor that needs the unit, which must leave so many steps before the end. A distance of 0 is no
// need.
using Distances = std::map<std::uint32_t, std::uint64_t>;

struct ProcessorNeeds {
  NodeId processor;
  Distances in;
  Distances out;
};

// The needs of the processors that can matter. They are those of processor 0 only, where the fabric and the collective
// look the same from every processor (`all_alike`); those of a few, where all would take too long; else those of all.
// `complete` says that every processor with needs is listed, or is like one that is.
struct NeedsOfAll {
  std::vector<ProcessorNeeds> needs;
  bool all_alike = false;
  bool complete = true;
};
// Returns the needs. Where the limits are reached, returns those that were found by then, of one processor at least;
// the bounds that follow from fewer needs are weaker, not wrong.
NeedsOfAll needs_of(const Fabric& fabric, const Collective& collective, const Limits& limits);

}  // namespace quadrille::bounds
