// A message of a send to several may branch at switches, but not at processors, which pass it on as wires do. So the
// tree of the routes is cut at processors: targets go together if the channel behind the last processor before them is
// the same.
//
// For example, in a star `send 0 -> {1, 2, 3}` is one message, of four channels; on a ring of 5, `send 0 -> {1, 2, 4}`
// is three: to 1, to 2 by way of 1, which only passes it, and to 4. Cost: the routes' lengths.
#include "compiler/plan/round_messages.h"

#include <algorithm>

namespace quadrille {

RoundMessages::RoundMessages(const Instance& instance, bool trees)
    : instance_(instance), trees_(trees), routes_(instance) {}

std::span<const RoundMessages::BranchingMessage> RoundMessages::of(const ResolvedSend& send) {
  channels_.clear();
  receivers_.clear();
  if (!send.multicast) {
    add_path(send);
  } else if (trees_) {
    add_trees(send);
  } else {
    add_targets(send);
  }
  messages_.clear();
  for (std::size_t i = 0; i < channels_.size(); ++i) messages_.push_back({channels_[i], receivers_[i]});
  return messages_;
}

void RoundMessages::add_path(const ResolvedSend& send) {
  if (!send.waits.empty()) {
    fail(send.statement->waits[0].steps.span, "a message does not wait on its way within a round", Code::invalid);
  }
  std::vector<ChannelId>& path = channels_.emplace_back();
  for (const auto& timed : routes_.route(send)) path.push_back(timed.channel);
  receivers_.push_back({send.targets[0]});
}

void RoundMessages::add_targets(const ResolvedSend& send) {
  for (const NodeId target : send.targets) {
    const auto route = routes_.route_to(send, target);
    channels_.emplace_back(route.begin(), route.end());
    receivers_.push_back({target});
  }
}

void RoundMessages::add_trees(const ResolvedSend& send) {
  std::vector<Route> routes;
  for (const NodeId target : send.targets) {
    const auto route = routes_.route_to(send, target);
    Route& added = routes.emplace_back(Route{target, {route.begin(), route.end()}, {}});
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
std::size_t RoundMessages::last_relay(std::span<const ChannelId> path) const {
  std::size_t place = path.size() - 1;
  while (place > 0 && !instance_.fabric->is_processor(instance_.fabric->channel(path[place]).from)) --place;
  return place;
}

}  // namespace quadrille
