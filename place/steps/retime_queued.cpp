// A send to many takes every branch of its tree at fixed steps after it leaves, if no packet waits. In half duplex such
// trees cannot be fitted into one another: the way up of one is the way down of another. So floods, which are written
// with queues, take four times as long if each is placed as a whole. Here their packets wait in queues instead: all
// sends are released in step 1, and each channel serves those who came first (queues.h).
//
//   multinode broadcast by flooding, 8 leaves, half duplex: 28 steps as whole sends, 12 in queues
//
// Cost: hops · log(queue length), for each order of queues; 120 bytes for each hop and flight.
#include "place/steps/retime_queued.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "place/steps/queues.h"

namespace quadrille {
namespace {

constexpr std::uint64_t bytes_of_each = 120;  // hop or flight, in queues

// Whether some hop leaves later than in the step after the packet has come to where it begins.
bool waits(const Flight& flight, std::span<const Hop> hops, const Fabric& fabric) {
  std::unordered_map<std::uint32_t, std::uint32_t> came;  // by node: the step
  for (const Hop& hop : hops) {
    const Channel& channel = fabric.channel(hop.channel);
    const auto found = came.find(channel.from.value);
    if (channel.from != flight.source && found != came.end() && hop.step > found->second + 1) return true;
    came[channel.to.value] = hop.step;
  }
  return false;
}

// All flights with their hops, released in step 1.
Flights released(const Flights& placed, const Fabric& fabric) {
  Flights result;
  result.list.reserve(placed.list.size());
  FlightHops all(placed, fabric);
  for (Flight flight : placed.list) {
    const auto hops = all.of(flight);
    flight.first_hop = result.hops.size();
    flight.hops = static_cast<std::uint32_t>(hops.size());
    for (const Hop& hop : hops) result.hops.push_back({hop.channel, 1});
    result.list.push_back(flight);
  }
  return result;
}

// Whether no send leaves its processor before an earlier one.
bool leave_in_order(const Flights& flights, const Fabric& fabric) {
  std::vector<std::uint32_t> last(fabric.processors());
  return std::ranges::all_of(flights.list, [&](const Flight& flight) {
    const std::uint32_t departure = flights.departure(flight);
    return departure >= std::exchange(last[flight.source.value], departure);
  });
}

}  // namespace

bool may_queue(const Flights& flights, const Fabric& written_for, const Collective& collective) {
  const auto own = [&](const Flight& flight) { return collective.starts_at(flight.chunk, flight.source); };
  if (!std::ranges::all_of(flights.list, own)) return false;
  // Hops that are not stored are those of a route without waits.
  return std::ranges::any_of(flights.list, [&](const Flight& flight) {
    return flight.hops > 0 && waits(flight, flights.of(flight), written_for);
  });
}

std::optional<RetimedFlights> retimed_queued(const RetimedFlights& placed, const Fabric& target, const Limits& limits) {
  const FlightsExtent before = placed.extent ? *placed.extent : extent_of(placed.flights, target);
  if (target.rules().queue.limit) return std::nullopt;
  if ((before.hops + placed.flights.list.size()) * bytes_of_each > limits.memory) return std::nullopt;
  const Flights all = released(placed.flights, target);
  std::optional<RetimedFlights> best;
  for (const auto& [order, as] : {std::pair(QueueOrder::fifo, "packets in queues, first come, first served"),
                                  std::pair(QueueOrder::farthest_first, "packets in queues, farthest first")}) {
    Flights now = queued(all, target, order, limits);
    const FlightsExtent extent = extent_of(now, target);
    const std::uint32_t least = best ? best->extent->last_step : before.last_step;
    if (extent.last_step >= least || !leave_in_order(now, target)) continue;
    best = RetimedFlights{std::move(now), as, 0, extent};
  }
  return best;
}

}  // namespace quadrille
