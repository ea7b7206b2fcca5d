// For each target that is asked for, once, a breadth-first search; then at every node the first channel of its route to
// the target: 4 bytes for each target and node.
//
//   0 - a - 1      to 1: at 0 both a and b are nearer; the switch with the lower number is taken
//    \ b /
//
// Why the routes from one source s form a tree, even where links go one way: let v lie on the route from s to t. At
// each node u before v, a neighbour that is nearer to v is nearer to t too (u's distance to t leads through v), and the
// chosen one is nearer to both; it has the lowest number among those nearer to t, hence among those nearer to v. So the
// route to v begins alike.
#include "model/topologies/shortest_routes.h"

#include <mutex>

#include "model/distances.h"

namespace quadrille::topologies {
namespace {

class ShortestRoutes final : public Routes {
 public:
  explicit ShortestRoutes(Fabric fabric)
      : fabric_(std::move(fabric)), once_(new std::once_flag[fabric_.nodes()]), first_channels_(fabric_.nodes()) {}

  bool append(NodeId source, NodeId target, std::vector<ChannelId>& channels) const override {
    if (source == target) return true;
    const std::vector<ChannelId>& first = first_channels_to(target);
    if (first[source.value] == no_channel) return false;
    for (NodeId at = source; at != target; at = fabric_.channel(channels.back()).to) {
      channels.push_back(first[at.value]);
    }
    return true;
  }

  std::optional<std::uint32_t> distance(NodeId source, NodeId target) const override {
    if (source == target) return 0;
    const std::vector<ChannelId>& first = first_channels_to(target);
    if (first[source.value] == no_channel) return std::nullopt;
    std::uint32_t length = 0;
    for (NodeId at = source; at != target; at = fabric_.channel(first[at.value]).to) ++length;
    return length;
  }

 private:
  static constexpr ChannelId no_channel{0xffffffff};

  // By node: the first channel of its route to `target`; no_channel where there is none, and at the target.
  const std::vector<ChannelId>& first_channels_to(NodeId target) const {
    std::call_once(once_[target.value], [&] { first_channels_[target.value] = find_first_channels(target); });
    return first_channels_[target.value];
  }

  std::vector<ChannelId> find_first_channels(NodeId target) const {
    const std::vector<std::uint32_t> hops = distances(fabric_, target, Direction::to);
    std::vector<ChannelId> first(fabric_.nodes(), no_channel);
    for (NodeId node(0); node.value < fabric_.nodes(); ++node.value) {
      if (node == target || hops[node.value] == unreachable) continue;
      for (const ChannelId id : fabric_.channels_from(node)) {
        if (hops[fabric_.channel(id).to.value] + 1 != hops[node.value]) continue;
        first[node.value] = id;
        break;
      }
    }
    return first;
  }

  Fabric fabric_;
  std::unique_ptr<std::once_flag[]> once_;  // a flag for each target
  mutable std::vector<std::vector<ChannelId>> first_channels_;
};

}  // namespace

std::shared_ptr<const Routes> shortest_routes(const Fabric& fabric) { return std::make_shared<ShortestRoutes>(fabric); }

}  // namespace quadrille::topologies
