// Natural routes: the path that a packet takes when the schedule names none.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/fabric.h"

namespace quadrille {

// Trees and stars: the tree path (the only one). Grids: one dimension after another, the lowest dimension index first,
// in each the shorter way round (upwards, to increasing coordinates, on a tie); a hypercube is such a grid, so the
// highest bit of the processor number is corrected first. Complete: the one channel. Graphs: a shortest path; among
// shortest ones, at every node the next node with the lowest number; processors may relay.
//
// Routes from one source to many targets form a tree: they never part and meet again, for a route's beginning, up to a
// node v on it, is itself the natural route to v. Safe to use from several threads.
class Router {
 public:
  explicit Router(Fabric fabric);

  // Appends the channels from `source` to `target`, in order. False if there is no way; nothing is appended then.
  // Nothing is appended for source == target.
  bool append_route(NodeId source, NodeId target, std::vector<ChannelId>& channels) const;

  // The number of channels on the natural route; nothing if there is no way.
  std::optional<std::uint32_t> distance(NodeId source, NodeId target) const;

  // Trees and stars: the lowest switch above both; the node itself if they are the same. Nothing on other fabrics.
  std::optional<NodeId> lowest_common_ancestor(NodeId a, NodeId b) const;

 private:
  class Strategy;
  class TreeRoutes;
  class GridRoutes;
  class DirectRoutes;
  class ShortestRoutes;
  std::shared_ptr<const Strategy> strategy_;
};

}  // namespace quadrille
