// A lower bound on the time of every schedule, by the size of a message.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "driver/inputs/costs.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "verifier/bounds.h"

namespace quadrille::driver {

// The time in lock step of a message that processors pass on in pieces: more rounds cost more starts, and fewer leave
// more that comes too late to be passed on.
struct PassingOn {
  std::uint64_t least_rounds = 1;
  double fixed = 0;
  double per_round = 0;
  double per_byte = 0;  // at the rate at which the root sends, or the others receive
  double late = 0;      // of a round, the share that is lost: 0 … 1, without 1
  double of(std::uint64_t size) const;
};

// A time in seconds that is linear in the size; in lock step, it may be more.
struct LeastTime {
  double fixed = 0;
  double per_byte = 0;
  std::optional<PassingOn> in_lock_step = {};
  double of(std::uint64_t size) const {
    const double linear = fixed + per_byte * static_cast<double>(size);
    return in_lock_step ? std::max(linear, in_lock_step->of(size)) : linear;
  }
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
