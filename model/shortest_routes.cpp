// For each target that is asked for, one breadth-first search gives at every node the first channel of its route to
// the target.
//
//   0 - a - 1      to 1: at 0 both a and b are nearer. They are numbered 2 and 3; 1 mod 2 is 1, so it goes by b;
//    \ b /         as one of several targets, by a
//
// So packets to different targets spread over different paths, and packets to one target share one path from where
// they meet: at each node the next one depends on the target alone, as in fat-tree routers.
//
// Why the routes in a tree from one source s form one, even where links go one way: let v lie on the route from s to t.
// At each node u before v, a neighbour that is nearer to v is nearer to t too (u's distance to t leads through v), and
// the chosen one is nearer to both; it has the lowest number among those nearer to t, hence among those nearer to v. So
// the route to v begins alike.
//
// Routes are looked up at every send, so the distances in memory between the nodes of a route matter. Channels are
// numbered among those out of a node, in a byte if that is enough. The entries of a node for sixteen consecutive
// targets are together, because sends of one step often go from neighbours to neighbours. Distances are stored
// separately. Cost: 2 bytes for each node and target (of sixteen, if one of them is asked for); 8 if more than 254
// channels leave a node.
#include "model/shortest_routes.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

#include "model/distances.h"
#include "model/routes_in_tree.h"

namespace quadrille::topologies {
namespace {

// Channels by the node that they leave, and where they lead.
class Edges {
 public:
  struct Edge {
    ChannelId channel;
    NodeId to;
  };

  explicit Edges(const Fabric& fabric) {
    begins_.reserve(fabric.nodes() + std::size_t{1});
    edges_.reserve(fabric.channels());
    for (NodeId node(0); node.value < fabric.nodes(); ++node.value) {
      begins_.push_back(static_cast<std::uint32_t>(edges_.size()));
      for (const ChannelId id : fabric.channels_from(node)) edges_.push_back({id, fabric.channel(id).to});
    }
    begins_.push_back(static_cast<std::uint32_t>(edges_.size()));
  }

  std::uint32_t count(NodeId node) const { return begins_[node.value + 1] - begins_[node.value]; }
  const Edge& at(NodeId node, std::uint32_t index) const { return edges_[begins_[node.value] + index]; }

 private:
  std::vector<std::uint32_t> begins_;  // by node, and the end
  std::vector<Edge> edges_;
};

// What every node knows of targets. `Index` holds the number of a node's channel, and one more value.
template <class Index>
class RoutesTo {
 public:
  static constexpr Index none = std::numeric_limits<Index>::max();
  static constexpr std::uint32_t many_hops = std::numeric_limits<Index>::max();

  // `spread`: of the channels with which a shortest route begins, the target's number says which; else it is the first.
  RoutesTo(const Fabric& fabric, const Edges& edges, bool spread)
      : fabric_(fabric),
        edges_(edges),
        spread_(spread),
        targets_(new Target[fabric.nodes()]),
        blocks_(new Block[fabric.nodes() / together + 1]) {}

  // Of all nodes to one target.
  class Of {
   public:
    // Of the node's channels, that with which its route begins; none: there is no way.
    Index first(NodeId node) const { return first_[std::size_t{node.value} * together]; }
    // To the target, if they are fewer than many_hops.
    Index hops(NodeId node) const { return hops_[std::size_t{node.value} * together]; }

   private:
    friend class RoutesTo;
    Of(Index* first, Index* hops) : first_(first), hops_(hops) {}
    Index* first_;
    Index* hops_;
  };

  Of to(NodeId target) const {
    Target& flags = targets_[target.value];
    if (!flags.found.load(std::memory_order_acquire)) std::call_once(flags.once, [&] { find(target); });
    return of(target);
  }

 private:
  static constexpr std::size_t together = 16;  // targets

  struct Target {
    std::once_flag once;
    std::atomic<bool> found = false;
  };
  struct Block {
    std::once_flag once;
    std::unique_ptr<Index[]> first, hops;  // by node, and among its by target
  };

  Of of(NodeId target) const {
    const Block& block = blocks_[target.value / together];
    const std::size_t place = target.value % together;
    return Of(block.first.get() + place, block.hops.get() + place);
  }

  void find(NodeId target) const {
    Block& block = blocks_[target.value / together];
    std::call_once(block.once, [&] {
      const std::size_t size = fabric_.nodes() * together;
      block.first.reset(new Index[size]);
      block.hops.reset(new Index[size]());
      std::fill_n(block.first.get(), size, none);
    });
    const Of routes = of(target);
    const std::vector<std::uint32_t> hops = distances(fabric_, target, Direction::to);
    for (NodeId node(0); node.value < fabric_.nodes(); ++node.value) {
      if (hops[node.value] == unreachable) continue;
      const std::size_t place = std::size_t{node.value} * together;
      routes.hops_[place] = static_cast<Index>(std::min(hops[node.value], many_hops));
      routes.first_[place] = node == target ? 0 : static_cast<Index>(first(hops, node, target));
    }
    targets_[target.value].found.store(true, std::memory_order_release);
  }

  std::uint32_t first(const std::vector<std::uint32_t>& hops, NodeId node, NodeId target) const {
    const auto leads_nearer = [&](std::uint32_t index) {
      return hops[edges_.at(node, index).to.value] + 1 == hops[node.value];  // unreachable + 1 is 0
    };
    std::uint32_t left = 0;
    for (std::uint32_t index = 0; spread_ && index < edges_.count(node); ++index) left += leads_nearer(index) ? 1 : 0;
    if (spread_) left = target.value % left;
    std::uint32_t index = 0;
    while (!leads_nearer(index) || left-- > 0) ++index;
    return index;
  }

  const Fabric& fabric_;
  const Edges& edges_;
  bool spread_;
  std::unique_ptr<Target[]> targets_;
  std::unique_ptr<Block[]> blocks_;
};

template <class Index>
class ShortestRoutes final : public Routes {
 public:
  explicit ShortestRoutes(Fabric fabric)
      : fabric_(std::move(fabric)), edges_(fabric_), spread_(fabric_, edges_, true), in_tree_(fabric_, edges_, false) {}

  bool append(NodeId source, NodeId target, std::vector<ChannelId>& channels) const override {
    return follow(spread_.to(target), source, target, [&](ChannelId id) { channels.push_back(id); });
  }

  bool append_in_tree(NodeId source, NodeId target, std::vector<ChannelId>& channels) const override {
    return follow(in_tree_.to(target), source, target, [&](ChannelId id) { channels.push_back(id); });
  }

  bool leaves_choice(NodeId, NodeId) const override { return true; }

  std::optional<std::uint32_t> distance(NodeId source, NodeId target) const override {
    const auto routes = spread_.to(target);
    if (routes.first(source) == NodeRoutes::none) return std::nullopt;
    std::uint32_t hops = routes.hops(source);
    if (hops < NodeRoutes::many_hops) return hops;
    hops = 0;
    follow(routes, source, target, [&](ChannelId) { ++hops; });
    return hops;
  }

 private:
  using NodeRoutes = RoutesTo<Index>;

  template <class Visit>
  bool follow(const typename NodeRoutes::Of& routes, NodeId source, NodeId target, const Visit& visit) const {
    if (routes.first(source) == NodeRoutes::none) return false;
    for (NodeId at = source; at != target;) {
      const Edges::Edge& edge = edges_.at(at, routes.first(at));
      visit(edge.channel);
      at = edge.to;
    }
    return true;
  }

  Fabric fabric_;
  Edges edges_;
  NodeRoutes spread_;
  NodeRoutes in_tree_;
};

}  // namespace

std::shared_ptr<const Routes> shortest_routes(const Fabric& fabric) {
  if (auto in_tree = routes_in_tree(fabric)) return in_tree;
  std::size_t most = 0;
  for (NodeId node(0); node.value < fabric.nodes(); ++node.value) {
    most = std::max(most, fabric.channels_from(node).size());
  }
  using Small = std::uint8_t;
  if (most < RoutesTo<Small>::none) return std::make_shared<ShortestRoutes<Small>>(fabric);
  return std::make_shared<ShortestRoutes<std::uint32_t>>(fabric);
}

}  // namespace quadrille::topologies
