// A lower bound on the time of every schedule, by the size of a message.
#pragma once

#include <cstdint>

#include "driver/inputs/costs.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"

namespace quadrille::driver {

// A time in seconds that is linear in the size.
struct LeastTime {
  double fixed = 0;
  double per_byte = 0;
  double of(std::uint64_t size) const { return fixed + per_byte * static_cast<double>(size); }
};

// The bound for every schedule in rounds, whatever number of chunks it cuts a message into (model/MODEL.md, Rounds).
// Requires a fabric that counts rounds. It is lower if bounds are not found within the limits.
LeastTime least_time(const Fabric& fabric, const Collective& collective, const Costs& costs, const Limits& limits);

}  // namespace quadrille::driver
