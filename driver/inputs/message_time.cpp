#include "driver/inputs/message_time.h"

#include <algorithm>
#include <limits>

#include "runtime/times/lock_step.h"

namespace quadrille::driver {

TransferCosts transfer_costs(const Costs& costs) { return {costs.start, costs.hop, costs.byte, costs.overhead}; }

double chunk_bytes(const SendTable& table, std::uint64_t size) {
  return static_cast<double>(size) / static_cast<double>(table.collective.message_parts());
}

std::optional<double> message_time(const SendTable& table, const Measures& measures, const Costs& costs,
                                   std::uint64_t size, const Limits& limits) {
  const double chunk = chunk_bytes(table, size);
  if (!timed_by_row(table.fabric, measures, costs)) {
    return costs.time(measures.rounds, measures.hops, *measures.chunks, chunk);
  }
  return seconds_in_lock_step(table, transfer_costs(costs), chunk, limits);
}

Costs least_costs(const Costs& costs, const Fabric& fabric) {
  if (fabric.link_speeds().empty()) return costs;
  Costs least = costs;
  least.hop = least.byte = std::numeric_limits<double>::infinity();
  const replaying::ChannelTimes times(fabric, transfer_costs(costs), 1);
  for (std::uint32_t channel = 0; channel < fabric.channels(); ++channel) {
    least.hop = std::min(least.hop, times.hop(ChannelId(channel)));
    least.byte = std::min(least.byte, times.chunk(ChannelId(channel)));
  }
  return least;
}

}  // namespace quadrille::driver
