// The root of the tree is node 0. Every node knows its parent, and the channels to it and back; a route climbs from
// both ends until they meet. For example, a and b are below 0, and 1 and 2 are below a: from 1 to b both are lifted
// to depth 1, a and b, and meet in 0.
//
// On trees that are given as graphs this takes a third of the time of asking at each node for the next one
// (shortest_routes.h): the two climbs do not wait for each other, and they read little memory.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/shortest_routes.h"

namespace quadrille::topologies {
namespace {

class RoutesInTree final : public Routes {
 public:
  explicit RoutesInTree(const Fabric& fabric) : nodes_(fabric.nodes()) {
    std::vector<bool> seen(fabric.nodes());
    std::vector<NodeId> open{NodeId(0)};
    seen[0] = true;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const NodeId node = open[i];
      for (const ChannelId down : fabric.channels_from(node)) {
        const NodeId child = fabric.channel(down).to;
        const auto up = fabric.reverse(down);
        if (seen[child.value] || !up) continue;
        seen[child.value] = true;
        nodes_[child.value] = {node, *up, down, nodes_[node.value].depth + 1};
        open.push_back(child);
      }
    }
    whole_ = open.size() == fabric.nodes();
  }

  // Whether it reaches every node.
  bool whole() const { return whole_; }

  bool append(NodeId source, NodeId target, std::vector<ChannelId>& channels) const override {
    const NodeId top = meeting(source, target);
    for (NodeId at = source; at != top; at = of(at).parent) channels.push_back(of(at).up);
    const auto end_of_climb = static_cast<std::ptrdiff_t>(channels.size());
    for (NodeId at = target; at != top; at = of(at).parent) channels.push_back(of(at).down);
    std::reverse(channels.begin() + end_of_climb, channels.end());
    return true;
  }

  std::optional<std::uint32_t> distance(NodeId source, NodeId target) const override {
    return of(source).depth + of(target).depth - 2 * of(meeting(source, target)).depth;
  }

  bool leaves_choice(NodeId, NodeId) const override { return true; }

 private:
  struct Node {
    NodeId parent;
    ChannelId up;
    ChannelId down;
    std::uint32_t depth = 0;
  };
  const Node& of(NodeId node) const { return nodes_[node.value]; }

  NodeId meeting(NodeId a, NodeId b) const {
    while (of(a).depth > of(b).depth) a = of(a).parent;
    while (of(b).depth > of(a).depth) b = of(b).parent;
    while (a != b) {
      a = of(a).parent;
      b = of(b).parent;
    }
    return a;
  }

  std::vector<Node> nodes_;
  bool whole_ = false;
};

}  // namespace

std::shared_ptr<const Routes> routes_in_tree(const Fabric& fabric) {
  if (fabric.channels() != 2 * (std::uint64_t{fabric.nodes()} - 1)) return nullptr;
  auto routes = std::make_shared<RoutesInTree>(fabric);
  return routes->whole() ? routes : nullptr;
}

}  // namespace quadrille::topologies
