// The steps in which the units that must cross a cut can cross it.
#pragma once

#include <cstdint>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/topology.h"

namespace quadrille::bounds {

// Units that make at least `before` hops before they first cross, and at least `after` hops after they last cross. So
// each of them crosses in one of the steps before + 1 … T - after.
struct CrossingWindow {
  std::uint32_t before = 0;
  std::uint32_t after = 0;
  std::uint64_t units = 0;
};

// The direction across a cut. In half duplex both directions share the links.
enum class Across : std::uint8_t { out, in, both };

// The window that takes the most steps if so many units (`capacity`) cross in each: before + after + units /
// capacity. Requires a capacity that is not 0, and that some unit crosses.
CrossingWindow longest_window(const Fabric& fabric, const Collective& collective, const Cut& cut, Across across,
                              std::uint64_t capacity);

}  // namespace quadrille::bounds
