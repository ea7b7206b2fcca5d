// Cost: hops; of a tree, for each processor in it, the hops to it from the processor before.
#include "place/flights/forwarding.h"

#include <algorithm>
#include <functional>
#include <map>

namespace quadrille {

bool forwards(const Fabric& fabric) { return fabric.switches_forward() && fabric.has_switches(); }

std::vector<std::vector<std::size_t>> ways_between_processors(const Fabric& fabric, std::span<const ChannelId> tree) {
  std::map<NodeId, std::size_t> brought;  // by switch: the index of the channel that reaches it
  std::vector<std::vector<std::size_t>> ways;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const NodeId to = fabric.channel(tree[i]).to;
    brought.emplace(to, i);
    if (!fabric.is_processor(to)) continue;
    std::vector<std::size_t> way{i};
    while (!fabric.is_processor(fabric.channel(tree[way.back()]).from)) {
      way.push_back(brought.at(fabric.channel(tree[way.back()]).from));
    }
    std::reverse(way.begin(), way.end());
    ways.push_back(std::move(way));
  }
  return ways;
}

Flights forwarded(const Flights& flights, const Fabric& fabric, WayOrder order) {
  Flights result;
  for (const Flight& flight : flights.list) {
    const auto hops = flights.of(flight);
    std::vector<ChannelId> channels;
    for (const Hop& hop : hops) channels.push_back(hop.channel);
    if (flight.target != flight.source) {
      Flight same = flight;
      same.first_hop = result.hops.size();
      result.hops.insert(result.hops.end(), hops.begin(), hops.end());
      result.list.push_back(same);
      continue;
    }
    auto ways = ways_between_processors(fabric, channels);
    if (order == WayOrder::farthest_first)
      std::ranges::stable_sort(ways, std::greater(), &std::vector<std::size_t>::size);
    for (const std::vector<std::size_t>& way : ways) {
      Flight one = flight;
      one.source = fabric.channel(channels[way.front()]).from;
      one.target = fabric.channel(channels[way.back()]).to;
      one.first_hop = result.hops.size();
      one.hops = static_cast<std::uint32_t>(way.size());
      for (const std::size_t i : way) result.hops.push_back(hops[i]);
      result.list.push_back(one);
    }
  }
  std::stable_sort(result.list.begin(), result.list.end(),
                   [&](const Flight& a, const Flight& b) { return result.departure(a) < result.departure(b); });
  return result;
}

}  // namespace quadrille
