// All shortest routes, from distances alone: a channel begins a shortest route if its head is one nearer to the target.
//
// For example, on mesh:2x2 both channels out of 0 lead nearer to 3, so the routes are 0-1-3 and 0-2-3, in this order.
// There may be exponentially many (of an s × s mesh, (2s-2 choose s-1) between opposite corners), hence the limit.
// Cost: a route's length times the channels out of a node, for each route.
#include "model/route.h"

namespace quadrille {

Router::Router(Fabric fabric) : fabric_(std::move(fabric)), routes_(fabric_.topology().routes(fabric_)) {}

std::vector<ChannelId> Router::first_channels(NodeId node, NodeId target) const {
  std::vector<ChannelId> first;
  const auto left = distance(node, target);
  if (!left || *left == 0) return first;
  for (const ChannelId id : fabric_.channels_from(node)) {
    if (distance(fabric_.channel(id).to, target) == *left - 1) first.push_back(id);
  }
  return first;
}

// Depth first: `open` has, for each node of the route so far, the channels that are still to be followed from it. Each
// of them leads to the target, so a route costs its length times the channels out of a node.
std::vector<std::vector<ChannelId>> Router::shortest_routes(NodeId source, NodeId target, std::size_t most) const {
  std::vector<std::vector<ChannelId>> routes;
  if (most == 0 || !distance(source, target)) return routes;
  if (source == target) return {{}};
  std::vector<ChannelId> route;
  std::vector<std::vector<ChannelId>> open{first_channels(source, target)};
  while (!open.empty() && routes.size() < most) {
    if (open.back().empty()) {
      open.pop_back();
      if (!route.empty()) route.pop_back();
      continue;
    }
    route.push_back(open.back().front());
    open.back().erase(open.back().begin());
    const NodeId next = fabric_.channel(route.back()).to;
    if (next != target) {
      open.push_back(first_channels(next, target));
    } else {
      routes.push_back(route);
      route.pop_back();
    }
  }
  return routes;
}

}  // namespace quadrille
