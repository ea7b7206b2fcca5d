// Idea: weak duality of linear programs. Put prices on the use of channels and ports. A schedule's packets pay for
// what they use, and no schedule can use more than there is. So a schedule is impossible if the priced demand is more
// than the priced capacity.
//
//   channel 0->1 has capacity 1 and prices 5 and 2 in steps 1 and 2, so the priced capacity is 7. A packet from 0 to
//   1 pays at least 2, by crossing in step 2, so the priced demand of 4 packets is 8. They need more than two steps.
//
// Cost: a dynamic program over the steps, channels x T for each processor that packets start at.
#include "verifier/bounds/resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

namespace quadrille::bounds {
namespace {

constexpr std::uint64_t most_worth = std::uint64_t{1} << 62;
constexpr std::uint64_t no_way = ~std::uint64_t{0};

// Makes one step: turns the least costs at all nodes before it into those after it.
void advance(const Fabric& fabric, const std::vector<std::uint64_t>& row_prices, std::vector<std::uint64_t>& costs) {
  const std::vector<std::uint64_t> before = costs;
  for (std::uint32_t e = 0; e < fabric.channels(); ++e) {
    const Channel& channel = fabric.channel(ChannelId{e});
    const std::uint64_t there = before[channel.from.value];
    if (there != no_way) costs[channel.to.value] = std::min(costs[channel.to.value], there + row_prices[e]);
  }
}

}  // namespace

Resources::Resources(const Fabric& fabric) : used_by(fabric.channels()) {
  const auto add = [&](Resource resource, const auto& channels) {
    for (const ChannelId e : channels) used_by[e.value].push_back(static_cast<std::uint32_t>(all.size()));
    all.push_back(std::move(resource));
  };
  const bool half = fabric.rules().duplex == Duplex::half;
  for (std::uint32_t e = 0; e < fabric.channels(); ++e) {
    const ChannelId id{e};
    const Channel& channel = fabric.channel(id);
    const ChannelId link = fabric.link(id);
    // In half duplex the link limits both directions together. A channel is a resource of its own only if it carries
    // less.
    if (!half || channel.capacity < fabric.channel(link).capacity) {
      add({ResourceKind::channel, "channel " + fabric.name(id), channel.capacity, channel.from, channel.to},
          std::span(&id, 1));
    }
    if (!half || link != id) continue;
    std::vector<ChannelId> of_link{id};
    if (const auto reverse = fabric.reverse(id)) of_link.push_back(*reverse);
    add({ResourceKind::link, "link " + fabric.name(id), channel.capacity, channel.from, channel.to}, of_link);
  }
  if (fabric.rules().ports != Ports::single) return;
  for (std::uint32_t p = 0; p < fabric.processors(); ++p) {
    const NodeId processor{p};
    const ChannelIds out = fabric.channels_from(processor);
    std::vector<ChannelId> in(fabric.channels_to(processor).begin(), fabric.channels_to(processor).end());
    if (half) {
      in.insert(in.end(), out.begin(), out.end());
      add({ResourceKind::port, fmt::format("port {}", p), 1, processor, processor}, in);
    } else {
      add({ResourceKind::out, fmt::format("out {}", p), 1, processor, processor}, out);
      add({ResourceKind::in, fmt::format("in {}", p), 1, processor, processor}, in);
    }
  }
  // With an even number of processors, the ports say the same.
  const bool one_is_left_over = !fabric.has_switches() && fabric.processors() % 2 == 1;
  if (!half || !one_is_left_over) return;
  std::vector<ChannelId> every;
  for (std::uint32_t e = 0; e < fabric.channels(); ++e) every.emplace_back(e);
  add({ResourceKind::pairs, "pairs all", fabric.processors() / 2, NodeId{0}, NodeId{0}}, every);
}

std::optional<std::uint64_t> priced_capacity(const Resources& resources, const StepPrices& prices) {
  std::uint64_t worth = 0;
  for (std::size_t r = 0; r < prices.size(); ++r) {
    for (const std::uint64_t price : prices[r]) {
      if (price > (most_worth - worth) / resources.all[r].capacity) return std::nullopt;
      worth += price * resources.all[r].capacity;
    }
  }
  return worth;
}

std::optional<std::uint64_t> priced_demand(const Fabric& fabric, const Resources& resources,
                                           const std::vector<PacketDemand>& wants, const StepPrices& prices,
                                           std::uint32_t T) {
  std::map<std::uint32_t, std::vector<std::uint64_t>> costs;  // from processors with wants, by node
  for (const PacketDemand& want : wants) {
    const auto [from, added] = costs.try_emplace(want.from, fabric.nodes(), no_way);
    if (added) from->second[want.from] = 0;
  }
  std::vector<std::uint64_t> row_prices(fabric.channels());
  // costs[v] is the price of the cheapest path to v by the end of step t, with waiting allowed.
  for (std::uint32_t t = 0; t < T; ++t) {
    for (std::uint32_t e = 0; e < fabric.channels(); ++e) {
      row_prices[e] = 0;
      for (const std::uint32_t r : resources.used_by[e]) row_prices[e] += prices[r][t];
    }
    for (auto& [from, at] : costs) advance(fabric, row_prices, at);
  }
  std::uint64_t sum = 0;
  for (const PacketDemand& want : wants) {
    const std::uint64_t cost = costs.at(want.from)[want.to];
    if (cost == no_way || cost > (most_worth - sum) / want.packets) return std::nullopt;
    sum += cost * want.packets;
  }
  return sum;
}

}  // namespace quadrille::bounds
