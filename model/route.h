// Default routes, which a packet takes when the schedule names none; and all shortest routes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/topology.h"

namespace quadrille {

// The default routes are:
// * Complete trees: the tree path, which is the only one.
// * Grids: one dimension after another, the lowest dimension index first, in each the shorter way round (upwards, to
//   increasing coordinates, on a tie). A hypercube is such a grid, so the highest bit of the processor number is
//   corrected first.
// * Complete graphs: the one channel.
// * Graphs, and fabrics that are written in the language where no line `route` holds: a shortest path. If there are
//   several, they are spread over the targets. At every node, consider the k channels with which some shortest path
//   to target t begins, by increasing head; the route takes the one with index t mod k, from 0 (t: the target's node
//   number). Processors may relay.
//
// Routes to several targets of one packet form a tree (append_route_in_tree). There, every node takes the next node
// with the lowest number, whatever the target. Several threads may use a Router.
class Router {
 public:
  explicit Router(Fabric fabric);

  // Appends the channels from `source` to `target`, in order. False if there is no path; then nothing is appended.
  // Appends nothing for source == target.
  bool append_route(NodeId source, NodeId target, std::vector<ChannelId>& channels) const {
    return routes_->append(source, target, channels);
  }

  // The same for one of several targets of a packet. These routes never part and meet again.
  bool append_route_in_tree(NodeId source, NodeId target, std::vector<ChannelId>& channels) const {
    return routes_->append_in_tree(source, target, channels);
  }

  // Whether no rule prescribes one of the shortest routes, so that any of them is as good as the default one.
  bool leaves_choice(NodeId source, NodeId target) const { return routes_->leaves_choice(source, target); }

  // The number of channels on a shortest route; nothing if there is no path.
  std::optional<std::uint32_t> distance(NodeId source, NodeId target) const {
    return routes_->distance(source, target);
  }

  // Complete trees: the lowest switch above both; the node itself if they are the same. Nothing on other fabrics.
  std::optional<NodeId> lowest_common_ancestor(NodeId a, NodeId b) const {
    return routes_->lowest_common_ancestor(a, b);
  }

  // The channels out of `node` with which some shortest route to `target` begins, by increasing head. Empty at the
  // target itself, and where there is no path.
  std::vector<ChannelId> first_channels(NodeId node, NodeId target) const;

  // All shortest routes, in the order of the nodes that they visit, but at most `most` of them.
  std::vector<std::vector<ChannelId>> shortest_routes(NodeId source, NodeId target, std::size_t most) const;

 private:
  Fabric fabric_;
  std::shared_ptr<const Routes> routes_;
};

}  // namespace quadrille
