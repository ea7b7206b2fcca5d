// The channels on shortest routes are found breadth-first from the source, and priced from the target back: behind
// each node lies the route that is best from there, whatever lies before the node.
//
//        b1       from a to e: if the prices are a->b1 2, b1->d 1, a->b2 1, b2->d 1 and d->e 3, both routes have the
//     a      d--e greatest price 3; their sums are 6 and 5, so it goes by way of b2
//        b2
//
// The sum matters: the last channel is often the fullest, and all routes have that. Cost: the channels on shortest
// routes from the source, once.
#include "place/calendar/least_route.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace quadrille {
namespace {

struct RouteNode {
  NodeId node;
  std::uint32_t distance = 0;                                // from the source, in hops
  std::pair<double, double> rest{no_price, 0};               // behind it: the greatest price, and the sum
  ChannelId channel = {};                                    // with which the rest begins
  std::vector<std::pair<ChannelId, std::size_t>> ways = {};  // and the places of their heads
};

}  // namespace

bool append_least_route(const Fabric& fabric, const Router& router, NodeId source, NodeId target,
                        std::span<const NodeId> closed, const ChannelPrice& price, std::vector<ChannelId>& channels) {
  std::vector<RouteNode> places{{source}};
  std::map<NodeId, std::size_t> place_of{{source, 0}};
  for (std::size_t p = 0; p < places.size(); ++p) {
    for (const ChannelId channel : router.first_channels(places[p].node, target)) {
      const NodeId head = fabric.channel(channel).to;
      if (head != target && std::ranges::find(closed, head) != closed.end()) continue;
      const auto [place, added] = place_of.emplace(head, places.size());
      if (added) places.push_back({head, places[p].distance + 1});
      places[p].ways.emplace_back(channel, place->second);
    }
  }
  if (!place_of.contains(target)) return false;
  // Places are by distance, so heads come after their places.
  for (std::size_t p = places.size(); p-- > 0;) {
    RouteNode& place = places[p];
    if (place.node == target) place.rest = {0, 0};
    for (const auto& [channel, head] : place.ways) {
      const auto& behind = places[head].rest;
      if (behind.first == no_price) continue;
      const double own = price(channel, place.distance);
      const std::pair whole(std::max(own, behind.first), own + behind.second);
      if (whole < place.rest) place.rest = whole, place.channel = channel;
    }
  }
  if (places.front().rest.first == no_price) return false;
  for (NodeId at = source; at != target; at = fabric.channel(channels.back()).to)
    channels.push_back(places[place_of.at(at)].channel);
  return true;
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
