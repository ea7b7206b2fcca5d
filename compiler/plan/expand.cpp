// Expanding a launch runs the region's sends once and writes them down hop by hop.
//
// For example, the launch in step 3 of `for k in processors: send k -> (k + 1) mod n` on ring:3 becomes three flights
// of one hop, 0 -> 1, 1 -> 2 and 2 -> 0, all in step 3. Launches are expanded where steps depend on other sends
// (disciplines, reversal, retiming); elsewhere a region stays compact. Cost: the sends' expressions and routes. Memory:
// 8 bytes for each hop that is written down and 48 for each flight, which is why the limit is asked at each.
#include "compiler/plan/expand.h"

#include <algorithm>

#include "place/flights/forwarding.h"

namespace quadrille {

namespace {

void add(const Flight& flight, std::uint64_t memory, Span span, Flights& flights) {
  flights.list.push_back(flight);
  if (flights.hops.size() * sizeof(Hop) + flights.list.size() * sizeof(Flight) > memory) times_too_large(memory, span);
}

void add_flight(Flight flight, std::span<const Hop> hops, std::uint64_t memory, Span span, Flights& flights) {
  if (hops.empty()) return;
  flight.first_hop = flights.hops.size();
  flight.hops = static_cast<std::uint32_t>(hops.size());
  flights.hops.insert(flights.hops.end(), hops.begin(), hops.end());
  add(flight, memory, span, flights);
}

// Adds, where switches forward, a flight for each route from processor to processor of a send to several. The routes
// lie one after another in `hops`.
void add_each_way(Flight flight, const Fabric& fabric, std::span<const Hop> hops, std::uint64_t memory, Span span,
                  Flights& flights) {
  std::size_t first = 0;
  for (std::size_t h = 0; h < hops.size(); ++h) {
    const NodeId to = fabric.channel(hops[h].channel).to;
    if (!fabric.is_processor(to)) continue;
    flight.source = fabric.channel(hops[first].channel).from;
    flight.target = to;
    add_flight(flight, hops.subspan(first, h + 1 - first), memory, span, flights);
    first = h + 1;
  }
}

}  // namespace

void expand(const Launch& launch, RegionRunner& runner, SendRoutes& routes, std::uint64_t memory, Flights& flights,
            bool all_hops) {
  std::uint32_t number = 0;
  std::vector<Hop> hops;
  const Fabric& fabric = routes.fabric();
  const bool one_by_one = forwards(fabric);
  runner.run(launch.region, [&](const ResolvedSend& send) {
    Flight flight;
    flight.serial = (std::uint64_t{launch.region} << 32) | number++;
    flight.source = send.source;
    flight.target = send.multicast ? send.source : send.targets[0];
    flight.named_path = !send.along.empty();
    flight.start = launch.step;
    const bool stored = all_hops || !SendRoutes::is_default(send);
    hops.clear();
    for (const auto& timed : routes.route(send)) hops.push_back({timed.channel, launch.step + timed.offset});
    for (const ChunkId chunk : send.chunks) {
      flight.chunk = chunk;
      if (!stored && !hops.empty()) {
        add(flight, memory, send.span, flights);
      } else if (send.multicast && one_by_one) {
        flight.named_path = !send.links.empty();
        add_each_way(flight, fabric, hops, memory, send.span, flights);
      } else {
        add_flight(flight, hops, memory, send.span, flights);
      }
    }
  });
}

void expand_round(const Launch& launch, RegionRunner& runner, RoundMessages& messages, std::uint64_t memory,
                  Flights& flights) {
  std::uint32_t number = 0;
  std::vector<Hop> hops;
  runner.run(launch.region, [&](const ResolvedSend& send) {
    const bool known = !send.held || !send.chunks.empty();
    if (!known) fail(send.span, "what is held is not known inside of a block that is reversed", Code::invalid);
    Flight flight;
    flight.serial = (std::uint64_t{launch.region} << 32) | number++;
    flight.source = send.source;
    flight.named_path = !send.along.empty() || !send.links.empty();
    for (const BranchingMessage& message : messages.of(send)) {
      hops.clear();
      for (const ChannelId channel : message.channels) hops.push_back({channel, launch.step});
      flight.target = message.receivers[0];
      for (const ChunkId chunk : send.chunks) {
        flight.chunk = chunk;
        add_flight(flight, hops, memory, send.span, flights);
      }
      ++flight.message;
    }
  });
}

Flights all_flights(const Plan& plan, bool all_hops) {
  const std::uint64_t memory = plan.instance.limits.memory;
  Flights flights = plan.flights;
  if (all_hops) flights.hops.reserve(std::min(plan.rows, memory / sizeof(Hop)));
  Evaluator evaluator(plan.instance);
  RegionRunner runner(plan, evaluator);
  SendRoutes routes(plan.instance);
  for (const Launch& launch : plan.launches) expand(launch, runner, routes, memory, flights, all_hops);
  const auto before = [&](const Flight& a, const Flight& b) { return flights.departure(a) < flights.departure(b); };
  if (!std::is_sorted(flights.list.begin(), flights.list.end(), before))
    std::stable_sort(flights.list.begin(), flights.list.end(), before);
  return flights;
}

}  // namespace quadrille
