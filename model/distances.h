// Breadth-first search: the number of channels between nodes.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "model/fabric.h"

namespace quadrille {

// The distance where no path leads.
inline constexpr std::uint32_t unreachable = std::numeric_limits<std::uint32_t>::max();

enum class Direction : std::uint8_t { from, to };

// For every node, the number of channels on a shortest path from the nearest of `ends` to it (Direction::to: from it
// to the nearest of them), over the channels that `uses(ChannelId)` allows; `unreachable` where there is no path.
template <class Uses>
std::vector<std::uint32_t> distances(const Fabric& fabric, std::span<const NodeId> ends, Direction direction,
                                     const Uses& uses) {
  std::vector<std::uint32_t> result(fabric.nodes(), unreachable);
  std::vector<NodeId> reached;
  for (const NodeId end : ends) {
    if (result[end.value] == unreachable) reached.push_back(end);
    result[end.value] = 0;
  }
  const bool from = direction == Direction::from;
  // Once all are reached, the channels left to look at are of no use: all but the first few of a complete graph's.
  for (std::size_t i = 0; i < reached.size() && reached.size() < result.size(); ++i) {
    const NodeId node = reached[i];
    for (const ChannelId id : from ? fabric.channels_from(node) : fabric.channels_to(node)) {
      const NodeId next = from ? fabric.channel(id).to : fabric.channel(id).from;
      if (result[next.value] != unreachable || !uses(id)) continue;
      result[next.value] = result[node.value] + 1;
      reached.push_back(next);
    }
  }
  return result;
}

// The distances from or to one node, over all channels.
std::vector<std::uint32_t> distances(const Fabric& fabric, NodeId end, Direction direction);

}  // namespace quadrille
