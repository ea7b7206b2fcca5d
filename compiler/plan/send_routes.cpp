// The route of a send: the default one, the routes to several targets together (each channel once), or the nodes or
// links that `along` names; with the steps that the packet waits in between. `send 0 -> 3 along 1, 2 waiting 2 at 1`
// has the hops 0->1, 1->2, 2->3 at the offsets 0, 3, 4. Cost: hops, and waits · hops.
#include "compiler/plan/send_routes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "model/described.h"
#include "place/flights/forwarding.h"
#include "place/flights/no_route.h"

namespace quadrille {

SendRoutes::SendRoutes(const Instance& instance)
    : fabric_(*instance.fabric), router_(*instance.router), forwards_(forwards(fabric_)) {}

// Names the nodes that `along` leaves out before its i-th, or the target.
void SendRoutes::not_linked(const ResolvedSend& send, std::size_t i, NodeId at) const {
  const Span span = i < send.statement->along.size() ? send.statement->along[i].span : send.statement->target.span;
  const NodeId next = send.along[i];
  std::string message =
      fmt::format("there is no channel from {} to {} in {}", fabric_.name(at), fabric_.name(next), described(fabric_));
  std::vector<ChannelId> between;
  if (router_.append_route(at, next, between) && between.size() > 1) {
    std::vector<std::string> missing;
    for (std::size_t h = 0; h + 1 < between.size(); ++h)
      missing.push_back(fabric_.name(fabric_.channel(between[h]).to));
    message +=
        fmt::format("; {} {} missing between them", fmt::join(missing, ", "), missing.size() == 1 ? "is" : "are");
  }
  fail(span, std::move(message), Code::route);
}

std::span<const ChannelId> SendRoutes::default_route(const ResolvedSend& send) {
  channels_.clear();
  if (!router_.append_route(send.source, send.targets[0], channels_)) {
    no_route(fabric_, send.source, send.targets[0], send.span);
  }
  return channels_;
}

std::span<const ChannelId> SendRoutes::route_to(const ResolvedSend& send, NodeId target) {
  channels_.clear();
  if (!router_.append_route_in_tree(send.source, target, channels_)) no_route(fabric_, send.source, target, send.span);
  return channels_;
}

std::span<const SendRoutes::TimedChannel> SendRoutes::route(const ResolvedSend& send) {
  timed_.clear();
  if (send.multicast) {
    multicast(send);
  } else {
    path(send);
  }
  return timed_;
}

void SendRoutes::multicast(const ResolvedSend& send) {
  if (!send.statement->links.empty()) {
    tree(send);
    if (forwards_) go_each_way();
    return;
  }
  // A channel carries a multicast once. Default routes from one source form a tree (route.h), so a channel has the same
  // offset on every route that it is on.
  if (!in_tree_) in_tree_.emplace(fabric_);
  in_tree_->begin();
  for (const NodeId target : send.targets) {
    route_to(send, target);
    for (std::uint32_t i = 0; i < channels_.size(); ++i) {
      bool& in_tree = (*in_tree_)[channels_[i]];
      if (in_tree) continue;
      in_tree = true;
      timed_.push_back({channels_[i], i});
    }
  }
  if (forwards_) go_each_way();
}

// Switches that forward do not branch: the previous processor in the tree sends to each processor.
void SendRoutes::go_each_way() {
  const std::vector<TimedChannel> tree(timed_);
  channels_.clear();
  for (const TimedChannel& timed : tree) channels_.push_back(timed.channel);
  timed_.clear();
  for (const std::vector<std::size_t>& way : ways_between_processors(fabric_, channels_)) {
    for (const std::size_t i : way) timed_.push_back(tree[i]);
  }
}

void SendRoutes::not_passed(const ResolvedSend& send, std::size_t wait) const {
  const auto& [at, before, steps] = send.waits[wait];
  const ir::Wait& stated = send.statement->waits[wait];
  fail(before ? stated.before->span : stated.at.span,
       before ? fmt::format("the packet does not go from {} to {}", fabric_.name(at), fabric_.name(*before))
              : fmt::format("the packet does not pass through {}", fabric_.name(at)),
       Code::route);
}

void SendRoutes::path(const ResolvedSend& send) {
  channels_.clear();
  if (send.along.empty()) {
    default_route(send);
  } else {
    NodeId at = send.source;
    for (std::size_t i = 0; i < send.along.size(); ++i) {
      const auto channel = fabric_.channel_between(at, send.along[i]);
      if (!channel) not_linked(send, i, at);
      channels_.push_back(*channel);
      at = send.along[i];
    }
  }
  // A hop for each channel, one step apart, and later by what the packet waits before it.
  std::uint64_t offset = 0;
  std::size_t waited = 0;
  for (const ChannelId channel : channels_) {
    const NodeId at = fabric_.channel(channel).from;
    if (at != send.source) {
      for (const StatedWait& wait : send.waits) {
        if (wait.at == at && wait.before.value_or(fabric_.channel(channel).to) == fabric_.channel(channel).to)
          offset += wait.steps, ++waited;
      }
    }
    if (offset > max_step)
      fail(send.span, fmt::format("the packet waits beyond step {}; that is the limit", max_step), Code::limit);
    timed_.push_back({channel, static_cast<std::uint32_t>(offset++)});
  }
  // A wait at a node that the route does not pass is a mistake; which one, is found only now that there is one.
  if (waited < send.waits.size()) {
    for (std::size_t i = 0; i < send.waits.size(); ++i) {
      const bool passed = std::any_of(channels_.begin(), channels_.end(), [&](ChannelId c) {
        const Channel& channel = fabric_.channel(c);
        return channel.from == send.waits[i].at && channel.from != send.source &&
               send.waits[i].before.value_or(channel.to) == channel.to;
      });
      if (!passed) not_passed(send, i);
    }
  }
}

}  // namespace quadrille
