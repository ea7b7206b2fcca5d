// When what crosses a cut can cross it.
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

// Which way across: in half duplex both ways share the links.
enum class Across : std::uint8_t { out, in, both };

// The window that takes the most steps where so many units cross in each: before + after + units / capacity. Requires
// a capacity that is not 0, and that something crosses.
CrossingWindow longest_window(const Fabric& fabric, const Collective& collective, const Cut& cut, Across across,
                              std::uint64_t capacity);

}  // namespace quadrille::bounds
