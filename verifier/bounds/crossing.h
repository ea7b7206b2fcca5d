// Counts the units (needs.h) that must cross between some processors and the others, each way.
#pragma once

#include <cstdint>
#include <vector>

#include "model/collective.h"

namespace quadrille::bounds {

// The number of units that must leave the processors inside (for the others), and that must enter them.
struct CutDemand {
  std::uint64_t out = 0;
  std::uint64_t in = 0;
};

// The demand of a collective across a cut. `inside`: by processor.
CutDemand crossing(const Collective& collective, const std::vector<bool>& inside);

// The demand where `size` of the processors are inside, the root among them or not; of a prefix, the most that it can
// be.
CutDemand crossing_by_size(const DemandShape& shape, std::uint64_t processors, std::uint64_t size, bool root_inside);

}  // namespace quadrille::bounds
