// What any schedule takes at least, by the size of a message.
#pragma once

#include <cstdint>

#include "driver/inputs/costs.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"

namespace quadrille::driver {

// In seconds. It grows with the size as a straight line does.
struct LeastTime {
  double fixed = 0;
  double per_byte = 0;
  double of(std::uint64_t size) const { return fixed + per_byte * static_cast<double>(size); }
};

// Of any schedule in rounds, into however many chunks it cuts a message (model/MODEL.md, Rounds). Requires a fabric
// that counts rounds. Where bounds are not found within the limits, it is lower.
LeastTime least_time(const Fabric& fabric, const Collective& collective, const Costs& costs, const Limits& limits);

}  // namespace quadrille::driver
