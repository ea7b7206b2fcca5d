#include "tests/reference/planner.h"

#include <algorithm>
#include <optional>

namespace quadrille::reference {

std::vector<std::pair<NodeId, std::uint32_t>> Planner::travel(ChunkId packet, NodeId from, NodeId to,
                                                              std::uint32_t ready) {
  return follow(packet, path(from, to), ready);
}

std::vector<std::pair<NodeId, std::uint32_t>> Planner::wander(ChunkId packet, NodeId from, std::uint32_t hops,
                                                              std::uint32_t ready) {
  std::vector<ChannelId> path;
  for (NodeId at = from; path.size() < hops && !fabric_.channels_from(at).empty();) {
    const auto ways = fabric_.channels_from(at);
    path.push_back(ways[dice_.below(ways.size())]);
    at = fabric_.channel(path.back()).to;
  }
  return follow(packet, path, ready);
}

// Breadth first from `from`, the channels of each node in a random order.
std::vector<ChannelId> Planner::path(NodeId from, NodeId to) {
  std::map<NodeId, std::optional<ChannelId>> reached_by = {{from, std::nullopt}};
  std::vector<NodeId> nodes = {from};
  for (std::size_t i = 0; i < nodes.size() && !reached_by.contains(to); ++i) {
    const auto ways = fabric_.channels_from(nodes[i]);
    std::vector<ChannelId> channels(ways.begin(), ways.end());
    dice_.shuffle(channels);
    for (const ChannelId channel : channels) {
      const NodeId next = fabric_.channel(channel).to;
      if (reached_by.emplace(next, channel).second) nodes.push_back(next);
    }
  }
  std::vector<ChannelId> result;
  if (!reached_by.contains(to)) return result;
  for (auto way = reached_by[to]; way; way = reached_by[fabric_.channel(*way).from]) result.push_back(*way);
  std::reverse(result.begin(), result.end());
  return result;
}

std::vector<std::pair<NodeId, std::uint32_t>> Planner::follow(ChunkId packet, const std::vector<ChannelId>& path,
                                                              std::uint32_t ready) {
  std::vector<std::pair<NodeId, std::uint32_t>> visits;
  std::uint32_t step = ready + 1;
  if (lazy_ && dice_.one_in(3)) step += dice_.below(4);
  while (!lazy_ && !all_free(path, step)) ++step;
  for (const ChannelId channel : path) {
    while (lazy_ && !is_free(channel, step) && !dice_.one_in(50)) ++step;
    cross(packet, channel, step);
    visits.emplace_back(fabric_.channel(channel).to, step);
    ++step;
    if (lazy_ && dice_.one_in(5)) step += dice_.below(4);
  }
  return visits;
}

bool Planner::all_free(const std::vector<ChannelId>& path, std::uint32_t first) const {
  for (std::uint32_t i = 0; i < path.size(); ++i) {
    if (!is_free(path[i], first + i)) return false;
  }
  return true;
}

bool Planner::is_free(ChannelId channel, std::uint32_t step) const {
  const Channel& it = fabric_.channel(channel);
  const bool half = fabric_.rules().duplex == Duplex::half;
  std::uint32_t used = count(on_channel_, channel.value, step);
  const auto back = fabric_.channel_between(it.to, it.from);
  if (half && back) used += count(on_channel_, back->value, step);
  if (used >= it.capacity) return false;
  if (fabric_.rules().ports == Ports::multi) return true;
  const auto busy = [&](NodeId node, const auto& same, const auto& other) {
    return fabric_.is_processor(node) &&
           (count(same, node.value, step) > 0 || (half && count(other, node.value, step) > 0));
  };
  return !busy(it.from, sent_, received_) && !busy(it.to, received_, sent_);
}

void Planner::cross(ChunkId packet, ChannelId channel, std::uint32_t step) {
  const Channel& it = fabric_.channel(channel);
  const std::uint32_t lane = on_channel_[{channel.value, step}]++;
  ++sent_[{it.from.value, step}];
  ++received_[{it.to.value, step}];
  rows_.push_back({StepId(step), Row{channel, LaneId(lane), packet}});
}

std::uint32_t Planner::count(const std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>& counts,
                             std::uint32_t number, std::uint32_t step) const {
  const auto found = counts.find({number, step});
  return found == counts.end() ? 0 : found->second;
}

}  // namespace quadrille::reference
