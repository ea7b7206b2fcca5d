// The channels on shortest routes are found breadth-first from the source, and priced from the target back: behind
// each node lies the route that is best from there, whatever lies before the node.
//
//        b1       from a to e: if the prices are a->b1 2, b1->d 1, a->b2 1, b2->d 1 and d->e 3, both routes have the
//     a      d--e greatest price 3; their sums are 6 and 5, so it goes by way of b2
//        b2
//
// The sum matters: the last channel is often the fullest, and all routes have that. Cost: the channels on shortest
// routes from the source, once; and what it takes to find them, once for each pair of nodes.
#include "place/calendar/least_route.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace quadrille {
bool LeastRoutes::append(NodeId source, NodeId target, std::span<const NodeId> closed, const ChannelPrice& price,
                         std::vector<ChannelId>& channels) {
  Places& places = places_between(source, target);
  // Heads come after their places.
  for (std::size_t p = places.size(); p-- > 0;) {
    PricedPlace& place = places[p];
    place.rest = {place.node == target ? 0 : no_price, 0};
    for (std::size_t way = 0; way < place.ways.size(); ++way) {
      const auto [channel, head] = place.ways[way];
      const PricedPlace& behind = places[head];
      const bool is_closed = behind.node != target && std::ranges::find(closed, behind.node) != closed.end();
      if (is_closed || behind.rest.first == no_price) continue;
      const double own = price(channel, place.distance);
      const std::pair whole(std::max(own, behind.rest.first), own + behind.rest.second);
      if (whole < place.rest) place.rest = whole, place.way = way;
    }
  }
  if (places.empty() || places.front().rest.first == no_price) return false;
  for (const PricedPlace* at = &places.front(); at->node != target;) {
    const auto [channel, head] = at->ways[at->way];
    channels.push_back(channel);
    at = &places[head];
  }
  return true;
}

// Empty if there is no route.
LeastRoutes::Places& LeastRoutes::places_between(NodeId source, NodeId target) {
  constexpr std::size_t most_places = std::size_t{1} << 20;  // some 100 bytes each
  if (kept_places_ > most_places) kept_.clear(), kept_places_ = 0;
  const auto [kept, added] = kept_.try_emplace((std::uint64_t{source.value} << 32) | target.value);
  Places& places = kept->second;
  if (!added) return places;
  places.push_back({source});
  std::map<NodeId, std::size_t> place_of{{source, 0}};
  for (std::size_t p = 0; p < places.size(); ++p) {
    for (const ChannelId channel : router_.first_channels(places[p].node, target)) {
      const NodeId head = fabric_.channel(channel).to;
      const auto [place, is_new] = place_of.emplace(head, places.size());
      if (is_new) places.push_back({head, places[p].distance + 1});
      places[p].ways.emplace_back(channel, place->second);
    }
  }
  if (!place_of.contains(target)) places.clear();
  kept_places_ += places.size();
  return places;
}

RouteLoads::RouteLoads(const Fabric& fabric) : fabric_(fabric), half_(fabric.rules().duplex == Duplex::half) {
  const std::vector<LinkSpeed> speeds = fabric.link_speeds();
  double fastest = 0;
  for (const LinkSpeed& speed : speeds) fastest = std::max(fastest, static_cast<double>(speed.bandwidth.value_or(0)));
  if (fastest == 0) return;
  for (const LinkSpeed& speed : speeds)
    bandwidths_.push_back(speed.bandwidth ? static_cast<double>(*speed.bandwidth) / fastest : 1);
}

double RouteLoads::speed(ChannelId channel) const {
  return fabric_.channel(channel).capacity * (bandwidths_.empty() ? 1 : bandwidths_[channel.value]);
}

double RouteLoads::price(ChannelId channel, std::uint64_t more, std::uint32_t period) const {
  const ChannelId link = counted(channel);
  return static_cast<double>(load(link, period) + more) / speed(link);
}

std::uint64_t RouteLoads::load(ChannelId counted, std::uint32_t period) const {
  const auto found = loads_.find((std::uint64_t{period} << 32) | counted.value);
  return found == loads_.end() ? 0 : found->second;
}

bool RouteLoads::exceeds_lanes(ChannelId channel, std::uint64_t more, std::uint32_t period) const {
  const ChannelId link = counted(channel);
  return load(link, period) + more > fabric_.channel(link).capacity;
}

bool RouteLoads::exceed_lanes() const {
  return std::ranges::any_of(loads_, [&](const auto& entry) {
    return entry.second > fabric_.channel(ChannelId(static_cast<std::uint32_t>(entry.first))).capacity;
  });
}

void RouteLoads::add(std::span<const ChannelId> route, std::uint64_t packets, std::uint32_t period) {
  for (const ChannelId channel : route) loads_[(std::uint64_t{period} << 32) | counted(channel).value] += packets;
}

double RouteLoads::sum_of_greatest() const {
  std::map<std::uint32_t, double> greatest;
  for (const auto& [key, load] : loads_) {
    double& most = greatest[static_cast<std::uint32_t>(key >> 32)];
    most = std::max(most, static_cast<double>(load) / speed(ChannelId(static_cast<std::uint32_t>(key))));
  }
  double sum = 0;
  for (const auto& [period, most] : greatest) sum += most;
  return sum;
}

}  // namespace quadrille
