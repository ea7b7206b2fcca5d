// Lower bounds on the number of steps of any schedule for a collective on a fabric.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"

namespace quadrille {

// A proved lower bound and its reason in one sentence, with its numbers and source.
struct Bound {
  std::string name;  // "distance", "receptions", "cut", "holes"
  std::uint64_t steps = 0;
  std::string reason;
};

// Every bound that applies, largest first; never empty (the last resort is 0 or 1 step).
std::vector<Bound> lower_bounds(const Fabric& fabric, const Collective& collective);

}  // namespace quadrille
