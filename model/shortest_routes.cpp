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
//
// Where most of many nodes are leaves, each with one link to a switch, these would be gigabytes. There only distances
// between the others are kept, and channels are chosen anew at every node. Cost: 2 bytes for each two of the others;
// for a hop of a route, a look at the channels out of its node. A Connection Machine of 65,536 processors has 4096
// others.
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

class DirectRoutes final : public Routes {
 public:
  explicit DirectRoutes(Fabric fabric) : fabric_(std::move(fabric)) {}

  bool append(NodeId source, NodeId target, std::vector<ChannelId>& channels) const override {
    if (source != target) channels.push_back(*fabric_.channel_between(source, target));
    return true;
  }
  std::optional<std::uint32_t> distance(NodeId source, NodeId target) const override {
    return source == target ? 0 : 1;
  }

 private:
  Fabric fabric_;
};

// Whether the node's only links are one to another node and one back. Gives that node; else the node itself.
NodeId attached_to(const Fabric& fabric, NodeId node) {
  const auto out = fabric.channels_from(node);
  const auto in = fabric.channels_to(node);
  if (out.size() != 1 || in.size() != 1) return node;
  const NodeId other = fabric.channel(out[0]).to;
  return fabric.channel(in[0]).from == other ? other : node;
}

// The same routes, of fabrics with leaves.
class RoutesBetweenLeaves final : public Routes {
 public:
  explicit RoutesBetweenLeaves(Fabric fabric) : fabric_(std::move(fabric)), edges_(fabric_) {
    for (NodeId node(0); node.value < fabric_.nodes(); ++node.value) attached_.push_back(attached_to(fabric_, node));
    for (NodeId node(0); node.value < fabric_.nodes(); ++node.value) {
      const NodeId other = attached_[node.value];
      if (attached_[other.value] == other) continue;
      attached_[node.value] = node;  // two nodes that are linked to one another only are no leaves
      attached_[other.value] = other;
    }
    for (NodeId node(0); node.value < fabric_.nodes(); ++node.value) {
      number_.push_back(static_cast<std::uint32_t>(others_.size()));
      if (!leaf(node)) others_.push_back(node);
    }
    targets_ = std::make_unique<DistancesTo[]>(others_.size());
  }

  bool append(NodeId source, NodeId target, std::vector<ChannelId>& channels) const override {
    return follow(source, target, true, channels);
  }
  bool append_in_tree(NodeId source, NodeId target, std::vector<ChannelId>& channels) const override {
    return follow(source, target, false, channels);
  }
  bool leaves_choice(NodeId, NodeId) const override { return true; }

  std::optional<std::uint32_t> distance(NodeId source, NodeId target) const override {
    if (source == target) return 0;
    const HopCount hops = hops_to(attached_[target.value])[number(attached_[source.value])];
    if (hops == none) return std::nullopt;
    return std::uint32_t{hops} + (leaf(source) ? 1U : 0U) + (leaf(target) ? 1U : 0U);
  }

 private:
  using HopCount = std::uint16_t;
  static constexpr HopCount none = std::numeric_limits<HopCount>::max();

  struct DistancesTo {
    std::once_flag once;
    std::unique_ptr<HopCount[]> hops;  // by number of the other node
  };

  bool leaf(NodeId node) const { return attached_[node.value] != node; }
  std::uint32_t number(NodeId other) const { return number_[other.value]; }

  const HopCount* hops_to(NodeId other) const {
    DistancesTo& target = targets_[number(other)];
    std::call_once(target.once, [&] {
      target.hops = std::make_unique<HopCount[]>(others_.size());
      std::fill_n(target.hops.get(), others_.size(), none);
      target.hops[number(other)] = 0;
      std::vector<NodeId> reached = {other};
      for (std::size_t i = 0; i < reached.size(); ++i) {
        const HopCount next = static_cast<HopCount>(target.hops[number(reached[i])] + 1);
        for (const ChannelId id : fabric_.channels_to(reached[i])) {
          const NodeId from = fabric_.channel(id).from;
          if (leaf(from) || target.hops[number(from)] != none) continue;
          target.hops[number(from)] = next;
          reached.push_back(from);
        }
      }
    });
    return target.hops.get();
  }

  bool follow(NodeId source, NodeId target, bool spread, std::vector<ChannelId>& channels) const {
    if (source == target) return true;
    const NodeId end = attached_[target.value];
    const HopCount* const hops = hops_to(end);
    if (hops[number(attached_[source.value])] == none) return false;
    for (NodeId at = source; at != target;) {
      const Edges::Edge& edge = leaf(at) ? edges_.at(at, 0) : next(at, target, end, hops, spread);
      channels.push_back(edge.channel);
      at = edge.to;
    }
    return true;
  }

  const Edges::Edge& next(NodeId at, NodeId target, NodeId end, const HopCount* hops, bool spread) const {
    const auto leads_nearer = [&](std::uint32_t index) {
      const NodeId to = edges_.at(at, index).to;
      return at == end ? to == target : !leaf(to) && hops[number(to)] + 1 == hops[number(at)];
    };
    std::uint32_t left = 0;
    for (std::uint32_t index = 0; spread && index < edges_.count(at); ++index) left += leads_nearer(index) ? 1 : 0;
    if (spread) left = target.value % left;
    std::uint32_t index = 0;
    while (!leads_nearer(index) || left-- > 0) ++index;
    return edges_.at(at, index);
  }

  Fabric fabric_;
  Edges edges_;
  std::vector<NodeId> attached_;       // by node: where a leaf is linked to; of others, the node itself
  std::vector<std::uint32_t> number_;  // by node, of those that are no leaves
  std::vector<NodeId> others_;
  std::unique_ptr<DistancesTo[]> targets_;  // by number
};

// Whether there are so many nodes that a table of all would be large, and most are leaves. Distances have two bytes.
bool has_many_leaves(const Fabric& fabric, std::uint32_t many) {
  if (fabric.nodes() < many) return false;
  std::uint32_t leaves = 0;
  for (NodeId node(0); node.value < fabric.nodes(); ++node.value) {
    leaves += attached_to(fabric, node) == node ? 0 : 1;
  }
  return leaves > fabric.nodes() / 2 && fabric.nodes() - leaves < std::numeric_limits<std::uint16_t>::max();
}

}  // namespace

std::shared_ptr<const Routes> direct_routes(const Fabric& fabric) { return std::make_shared<DirectRoutes>(fabric); }

std::shared_ptr<const Routes> shortest_routes(const Fabric& fabric, std::uint32_t many) {
  if (!fabric.lists_channels()) return direct_routes(fabric);
  if (auto in_tree = routes_in_tree(fabric)) return in_tree;
  if (has_many_leaves(fabric, many)) return std::make_shared<RoutesBetweenLeaves>(fabric);
  std::uint32_t most = 0;
  for (NodeId node(0); node.value < fabric.nodes(); ++node.value) {
    most = std::max(most, fabric.channels_from(node).size());
  }
  using Small = std::uint8_t;
  if (most < RoutesTo<Small>::none) return std::make_shared<ShortestRoutes<Small>>(fabric);
  return std::make_shared<ShortestRoutes<std::uint32_t>>(fabric);
}

}  // namespace quadrille::topologies
