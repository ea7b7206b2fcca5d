// A lower bound on the time of every schedule, by the size of a message.
#pragma once

#include <cstdint>

#include "driver/inputs/costs.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "verifier/bounds.h"

namespace quadrille::driver {

// A time in seconds that is linear in the size.
struct LeastTime {
  double fixed = 0;
  double per_byte = 0;
  double of(std::uint64_t size) const { return fixed + per_byte * static_cast<double>(size); }
};

// The bound for every schedule in rounds, whatever number of chunks it cuts a message into (model/MODEL.md, Rounds), in
// lock step. By dependency no schedule is faster than each of its terms alone.
// Requires a fabric that counts rounds. It is lower if bounds are not found within the limits.
LeastTime least_time(const Fabric& fabric, const Collective& collective, const Costs& costs, const Limits& limits);

// A lower bound on the load of every schedule for the collective as it is cut, given the best one on its volume.
// Requires a fabric whose paths are shared in rounds.
double least_load(const Fabric& fabric, const Collective& collective, const Bound& volume, const Limits& limits);

// The bound on the rounds alone. Likewise.
std::uint64_t least_rounds(const Fabric& fabric, const Collective& collective, const Limits& limits);

}  // namespace quadrille::driver
