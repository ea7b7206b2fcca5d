// The rates become whole numbers, as flows have to be exact. For example, between cards 7 and 8 of two servers whose
// cards are on rails, each with one link, and on a faster switch, the cut is the links 7 -> rail 7 and 0 -> rail 0.
// Cost: that of a maximum flow along these channels.
#include "driver/search/smallest_cut.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

#include "model/topologies/flow_network.h"

namespace quadrille::driver {

std::vector<ChannelId> smallest_cut(const Fabric& fabric, std::span<const ChannelId> channels, NodeId source,
                                    NodeId target, const std::function<double(ChannelId)>& rate) {
  constexpr double units = 1 << 30;  // of the greatest rate
  double greatest = 0;
  std::map<NodeId, std::uint32_t> number_of{{source, 0}, {target, 1}};
  for (const ChannelId id : channels) {
    greatest = std::max(greatest, rate(id));
    for (const NodeId node : {fabric.channel(id).from, fabric.channel(id).to}) {
      number_of.emplace(node, static_cast<std::uint32_t>(number_of.size()));
    }
  }
  const auto from = [&](ChannelId id) { return number_of.at(fabric.channel(id).from); };
  const auto to = [&](ChannelId id) { return number_of.at(fabric.channel(id).to); };
  FlowNetwork network(static_cast<std::uint32_t>(number_of.size()));
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> capacities;
  for (const ChannelId id : channels) capacities[{from(id), to(id)}] += std::llround(rate(id) / greatest * units);
  for (const auto& [ends, there] : capacities) {
    const auto& [one, other] = ends;
    const auto back = capacities.find({other, one});
    const bool both_ways = back != capacities.end();
    if (!both_ways || one < other) network.link(one, other, there, both_ways ? back->second : 0);
  }
  const std::vector<bool> reached = network.source_side(number_of.at(source), number_of.at(target));
  std::vector<ChannelId> cut;
  std::ranges::copy_if(channels, std::back_inserter(cut),
                       [&](ChannelId id) { return reached[from(id)] && !reached[to(id)]; });
  return cut;
}

}  // namespace quadrille::driver
