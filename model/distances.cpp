// Distances from or to one node. The breadth-first search is the template in the header, because callers restrict its
// channels. Cost: nodes and channels.
#include "model/distances.h"

namespace quadrille {

std::vector<std::uint32_t> distances(const Fabric& fabric, NodeId end, Direction direction) {
  return distances(fabric, std::span(&end, 1), direction, [](ChannelId) { return true; });
}

}  // namespace quadrille
