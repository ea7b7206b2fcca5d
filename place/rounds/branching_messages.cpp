// A message of a send to several may branch at switches, but not at processors, which pass it on as wires do. So the
// tree of the routes is cut at processors: targets go together if the channel behind the last processor before them is
// the same.
//
// For example, in a star `send 0 -> {1, 2, 3}` is one message, of four channels; on a ring of 5, `send 0 -> {1, 2, 4}`
// is three: to 1, to 2 by way of 1, which only passes it, and to 4. Cost: the routes' lengths.
#include "place/rounds/branching_messages.h"

#include <algorithm>

#include "place/flights/no_route.h"

namespace quadrille {

std::span<const BranchingMessage> BranchingMessages::of(NodeId source, std::span<const NodeId> targets, Span span) {
  channels_.clear();
  receivers_.clear();
  if (trees_) {
    add_trees(source, targets, span);
  } else {
    for (const NodeId target : targets) {
      channels_.push_back(route_to(source, target, span));
      receivers_.push_back({target});
    }
  }
  messages_.clear();
  for (std::size_t i = 0; i < channels_.size(); ++i) messages_.push_back({channels_[i], receivers_[i]});
  return messages_;
}

std::vector<ChannelId> BranchingMessages::route_to(NodeId source, NodeId target, Span span) const {
  std::vector<ChannelId> route;
  if (!router_.append_route_in_tree(source, target, route)) no_route(fabric_, source, target, span);
  return route;
}

void BranchingMessages::add_trees(NodeId source, std::span<const NodeId> targets, Span span) {
  std::vector<Route> routes;
  for (const NodeId target : targets) {
    Route& added = routes.emplace_back(Route{target, route_to(source, target, span), {}});
    added.branch = added.path[last_relay(added.path)];
  }
  std::stable_sort(routes.begin(), routes.end(), [](const Route& a, const Route& b) { return a.branch < b.branch; });
  for (std::size_t i = 0; i < routes.size(); ++i) {
    const Route& route = routes[i];
    if (i == 0 || routes[i - 1].branch != route.branch) {
      channels_.emplace_back();
      receivers_.emplace_back();
    }
    if (std::find(receivers_.back().begin(), receivers_.back().end(), route.target) != receivers_.back().end())
      continue;
    receivers_.back().push_back(route.target);
    for (const ChannelId channel : route.path) {
      std::vector<ChannelId>& tree = channels_.back();
      if (std::find(tree.begin(), tree.end(), channel) == tree.end()) tree.push_back(channel);
    }
  }
}

// The place in the path of the channel that leaves its last processor.
std::size_t BranchingMessages::last_relay(std::span<const ChannelId> path) const {
  std::size_t place = path.size() - 1;
  while (place > 0 && !fabric_.is_processor(fabric_.channel(path[place]).from)) --place;
  return place;
}

}  // namespace quadrille
