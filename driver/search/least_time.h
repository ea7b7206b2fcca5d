// A lower bound on the time of every schedule, by the size of a message.
#pragma once

#include <cstdint>

#include "driver/inputs/costs.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "verifier/bounds.h"

namespace quadrille::driver {

// The time in lock step by the number of rounds: more of them cost more starts, and in fewer more must be carried.
struct TimeByRounds {
  std::uint64_t least_rounds = 0;
  double path = 0;                      // the latencies of all rounds together, at least
  double start = 0;                     // of each round
  double latency = 0;                   // of each round, at least
  double byte = 0;                      // for a load of one byte
  LoadByRounds load = {};               // of a message of one byte, with the bound for any number of rounds
  double of(std::uint64_t size) const;  // requires that there is a round
};

// Two terms in seconds, of which no schedule is faster than each alone, by dependency either; and the time in lock
// step.
struct LeastTime {
  double fixed = 0;
  double per_byte = 0;
  TimeByRounds in_lock_step = {};
  double of(std::uint64_t size) const;  // in lock step
};

// The bound for every schedule in rounds, whatever number of chunks it cuts a message into (model/MODEL.md, Rounds).
// Requires a fabric that counts rounds. It is lower if bounds are not found within the limits.
LeastTime least_time(const Fabric& fabric, const Collective& collective, const Costs& costs, const Limits& limits);

// A lower bound on the load of every schedule for the collective as it is cut, given the best one on its volume.
// Requires a fabric whose paths are shared in rounds.
double least_load(const Fabric& fabric, const Collective& collective, const Bound& volume, const Limits& limits);

// The bound on the rounds alone. Likewise.
std::uint64_t least_rounds(const Fabric& fabric, const Collective& collective, const Limits& limits);

}  // namespace quadrille::driver
