// Idea: a tree is recognised by its numbers. Every node but the last must have one channel up, to where its parent has
// to be, and one back; so with two channels a node and no more, there is nothing else.
//
//   4 leaves, arity 2: nodes 0-3 have the parents 4 and 5, these have 6, the root; 12 channels
//
// Cost: linear in nodes and channels.
#include "verifier/certificate/formulas/trees.h"

#include <vector>

namespace quadrille::certificate {
namespace {

// The channels between node and parent are there, say their level, and carry as much as `capacity` (0: anything).
bool is_link(const Fabric& fabric, NodeId node, NodeId parent, std::uint32_t level, std::uint32_t capacity) {
  for (const auto& id : {fabric.channel_between(node, parent), fabric.channel_between(parent, node)}) {
    if (!id || fabric.channel(*id).level != level) return false;
    if (capacity != 0 && fabric.channel(*id).capacity != capacity) return false;
  }
  return true;
}

}  // namespace

std::optional<Tree> tree_of(const Fabric& fabric) {
  const std::uint32_t nodes = fabric.nodes();
  if (nodes < 2 || fabric.channels() != 2 * (std::uint64_t{nodes} - 1)) return std::nullopt;
  const NodeId root(nodes - 1);
  Tree tree{static_cast<std::uint32_t>(fabric.channels_to(root).size()), 0};
  if (tree.arity == 0) return std::nullopt;
  std::uint32_t first = 0;  // of the level
  for (std::uint32_t width = fabric.processors(); first + width < nodes; width /= tree.arity) {
    if (width % tree.arity != 0) return std::nullopt;
    ++tree.levels;
    std::uint32_t capacity = 0;
    for (std::uint32_t j = 0; j < width; ++j) {
      const NodeId node(first + j);
      const std::uint32_t parent = first + width + j / tree.arity;
      if (parent >= nodes || !is_link(fabric, node, NodeId(parent), tree.levels, capacity)) return std::nullopt;
      capacity = fabric.channel(*fabric.channel_between(node, NodeId(parent))).capacity;
    }
    first += width;
  }
  return first == root.value ? std::optional(tree) : std::nullopt;
}

}  // namespace quadrille::certificate
