// For each target that is asked for, once, a breadth-first search; then at every node the first channel of its route to
// the target: 8 bytes for each target and node.
//
//   0 - a - 1      to 1: at 0 both a and b are nearer. They are numbered 2 and 3; 1 mod 2 is 1, so it goes by b;
//    \ b /         as one of several targets, by a
//
// Spread so, what goes to different targets goes different ways, and what goes to one target goes one way from where it
// meets: at each node the next one depends on the target alone, as in fat-tree routers.
//
// Why the routes in a tree from one source s form one, even where links go one way: let v lie on the route from s to t.
// At each node u before v, a neighbour that is nearer to v is nearer to t too (u's distance to t leads through v), and
// the chosen one is nearer to both; it has the lowest number among those nearer to t, hence among those nearer to v. So
// the route to v begins alike.
#include "model/topologies/shortest_routes.h"

#include <mutex>

#include "model/distances.h"

namespace quadrille::topologies {
namespace {

class ShortestRoutes final : public Routes {
 public:
  explicit ShortestRoutes(Fabric fabric)
      : fabric_(std::move(fabric)), once_(new std::once_flag[fabric_.nodes()]), ways_(fabric_.nodes()) {}

  bool append(NodeId source, NodeId target, std::vector<ChannelId>& channels) const override {
    const Ways& ways = ways_to(target);
    return follow(ways, source, target, channels, [&](NodeId at) { return ways.first[at.value]; });
  }

  bool append_in_tree(NodeId source, NodeId target, std::vector<ChannelId>& channels) const override {
    const Ways& ways = ways_to(target);
    return follow(ways, source, target, channels, [&](NodeId at) { return nearer(ways.hops, at, 0); });
  }

  bool leaves_choice(NodeId, NodeId) const override { return true; }

  std::optional<std::uint32_t> distance(NodeId source, NodeId target) const override {
    const std::uint32_t hops = ways_to(target).hops[source.value];
    return hops == unreachable ? std::nullopt : std::optional(hops);
  }

 private:
  struct Ways {
    std::vector<std::uint32_t> hops;  // by node: to the target
    std::vector<ChannelId> first;     // by node: the first channel of its route; any, where there is none
  };

  template <class Next>
  bool follow(const Ways& ways, NodeId source, NodeId target, std::vector<ChannelId>& channels,
              const Next& next) const {
    if (ways.hops[source.value] == unreachable) return false;
    for (NodeId at = source; at != target; at = fabric_.channel(channels.back()).to) channels.push_back(next(at));
    return true;
  }

  const Ways& ways_to(NodeId target) const {
    std::call_once(once_[target.value], [&] { ways_[target.value] = find_ways(target); });
    return ways_[target.value];
  }

  Ways find_ways(NodeId target) const {
    Ways ways{distances(fabric_, target, Direction::to), std::vector<ChannelId>(fabric_.nodes())};
    for (NodeId node(0); node.value < fabric_.nodes(); ++node.value) {
      if (node == target || ways.hops[node.value] == unreachable) continue;
      std::uint32_t count = 0;
      for (const ChannelId id : fabric_.channels_from(node)) count += leads_nearer(ways.hops, id) ? 1 : 0;
      ways.first[node.value] = nearer(ways.hops, node, target.value % count);
    }
    return ways;
  }

  bool leads_nearer(const std::vector<std::uint32_t>& hops, ChannelId id) const {
    const Channel& channel = fabric_.channel(id);
    return hops[channel.to.value] != unreachable && hops[channel.to.value] + 1 == hops[channel.from.value];
  }

  // Of the channels that lead nearer, the one with that index. Requires that there are so many.
  ChannelId nearer(const std::vector<std::uint32_t>& hops, NodeId node, std::uint32_t index) const {
    for (const ChannelId id : fabric_.channels_from(node)) {
      if (leads_nearer(hops, id) && index-- == 0) return id;
    }
    return {};
  }

  Fabric fabric_;
  std::unique_ptr<std::once_flag[]> once_;  // a flag for each target
  mutable std::vector<Ways> ways_;
};

}  // namespace

std::shared_ptr<const Routes> shortest_routes(const Fabric& fabric) { return std::make_shared<ShortestRoutes>(fabric); }

}  // namespace quadrille::topologies
