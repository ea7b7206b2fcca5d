// A CrossingWindow bounds the steps in which units can cross a cut.
#pragma once

#include <cstdint>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/topology.h"

namespace quadrille::bounds {

// Units that make `before` hops or more before they first cross, and `after` or more when they have crossed last: so
// each of them crosses in one of the steps before + 1 … T - after.
struct CrossingWindow {
  std::uint32_t before = 0;
  std::uint32_t after = 0;
  std::uint64_t units = 0;
};

// The direction across a cut; in half duplex both directions share the links.
enum class Across : std::uint8_t { out, in, both };

// Returns the window that takes the most steps where `capacity` units cross in each: before + after + units / capacity.
// Requires that the capacity is not 0, and that some unit crosses.
CrossingWindow longest_window(const Fabric& fabric, const Collective& collective, const Cut& cut, Across across,
                              std::uint64_t capacity);

}  // namespace quadrille::bounds
