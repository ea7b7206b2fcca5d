// Computes the time of a table in lock step, for messages of a size.
#pragma once

#include <cstdint>
#include <optional>

#include "driver/inputs/costs.h"
#include "model/limits/limits.h"
#include "model/send_table.h"
#include "runtime/times/channel_times.h"

namespace quadrille::driver {

// The numbers a, d and b of model/MODEL.md, Rounds; for a table in steps, each is its number of steps.
struct Measures {
  std::uint64_t rounds = 0;
  std::uint64_t hops = 0;
  std::uint64_t volume = 0;
};

TransferCosts transfer_costs(const Costs& costs);

// The bytes of a chunk of a message with `size` bytes.
double chunk_bytes(const SendTable& table, std::uint64_t size);

// The seconds for messages of so many bytes: a·T_s + d·T_h + b·T_c; on a fabric that states the speeds of its links,
// row by row (seconds_in_lock_step). Nothing if the limits are reached.
std::optional<double> message_time(const SendTable& table, const Measures& measures, const Costs& costs,
                                   std::uint64_t size, const Limits& limits);

// The costs of the fabric's fastest links. No schedule takes less time there than its measures with these costs.
Costs least_costs(const Costs& costs, const Fabric& fabric);

}  // namespace quadrille::driver
