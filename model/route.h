// Natural routes: the path that a packet takes when the schedule names none.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/fabric.h"

namespace quadrille {

// Trees and stars: the tree path (the only one). Grids: dimension order, lowest dimension first, the shorter way round
// (upwards on a tie); on hypercubes this is e-cube with the highest bit first corrected last, see TABLE_FORMAT. Complete:
// the one channel. Graphs: a shortest path; among shortest ones, at every node the next node with the lowest number.
// Routes from one source to many targets form a tree (they never part and meet again).
class Router {
 public:
  explicit Router(Fabric fabric);

  // Appends the channels from `source` to `target`, in order. False if there is no way; nothing is appended then.
  // Nothing is appended for source == target.
  bool append_route(NodeId source, NodeId target, std::vector<ChannelId>& channels) const;

  // The number of channels on the natural route; nothing if there is no way.
  std::optional<std::uint32_t> distance(NodeId source, NodeId target) const;

  // Trees: the lowest switch above both; the node itself if they are the same. Nothing on other fabrics.
  std::optional<NodeId> lowest_common_ancestor(NodeId a, NodeId b) const;

 private:
  class Strategy;
  class TreeRoutes;
  class GridRoutes;
  class ShortestRoutes;
  std::shared_ptr<const Strategy> strategy_;
};

}  // namespace quadrille
