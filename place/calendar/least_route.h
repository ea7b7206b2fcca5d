// least_route: of several shortest routes, the one whose channels have the least prices. RouteLoads counts the packets
// on channels, which is what such a price is made of.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/fabric.h"
#include "model/route.h"

namespace quadrille {

inline constexpr double no_price = std::numeric_limits<double>::infinity();  // the channel is closed

// What it costs to cross a channel as that hop of the route, counted from 0.
using ChannelPrice = std::function<double(ChannelId channel, std::uint32_t hop)>;

// Finds routes of least price. The channels on shortest routes are found once for each pair of nodes, and kept.
class LeastRoutes {
 public:
  // Keeps references to both.
  LeastRoutes(const Fabric& fabric, const Router& router) : fabric_(fabric), router_(router) {}

  // Appends a shortest route from `source` to `target` whose greatest price is least. At every node the route takes the
  // channel behind which the greatest price is least, that channel's own included; then the one behind which the sum of
  // the prices is least; then the one with the lowest head. It passes none of the closed nodes. False if every shortest
  // route passes one, or has a channel without a price; then nothing is appended.
  bool append(NodeId source, NodeId target, std::span<const NodeId> closed, const ChannelPrice& price,
              std::vector<ChannelId>& channels);

 private:
  struct PricedPlace {
    NodeId node;
    std::uint32_t distance = 0;                                // from the source, in hops
    std::vector<std::pair<ChannelId, std::size_t>> ways = {};  // the channels on, and the places of their heads
    std::pair<double, double> rest = {};                       // behind it: the greatest price, and the sum
    std::size_t way = 0;                                       // with which the rest begins
  };
  using Places = std::vector<PricedPlace>;  // the source first, by distance

  Places& places_between(NodeId source, NodeId target);

  const Fabric& fabric_;
  const Router& router_;
  std::unordered_map<std::uint64_t, Places> kept_;  // by source (the upper half) and target
  std::size_t kept_places_ = 0;
};

class RouteLoads {
 public:
  // The fabric must outlive it.
  explicit RouteLoads(const Fabric& fabric);

  // The time that the channel takes for its packets of that period and so many more, in no unit:
  // (load + more) / (lanes · bandwidth). A link without a bandwidth is as fast as the fastest one. In half duplex both
  // directions of a link count together.
  double price(ChannelId channel, std::uint64_t more, std::uint32_t period = 0) const;
  void add(std::span<const ChannelId> route, std::uint64_t packets, std::uint32_t period = 0);
  // Whether the channel has fewer lanes than packets in that period, with so many more; whether any has.
  bool exceeds_lanes(ChannelId channel, std::uint64_t more, std::uint32_t period) const;
  bool exceed_lanes() const;
  void clear() { loads_.clear(); }

  // The greatest price of each period, summed up.
  double sum_of_greatest() const;

 private:
  ChannelId counted(ChannelId channel) const { return half_ ? fabric_.link(channel) : channel; }
  double speed(ChannelId channel) const;
  std::uint64_t load(ChannelId counted, std::uint32_t period) const;

  const Fabric& fabric_;
  bool half_;
  std::vector<double> bandwidths_;                          // by channel, of the fastest; empty: all are the same
  std::unordered_map<std::uint64_t, std::uint64_t> loads_;  // by period (the upper half) and channel
};

}  // namespace quadrille
