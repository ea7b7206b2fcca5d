#include "compiler/send_routes.h"

#include <fmt/format.h>

#include <algorithm>

namespace quadrille {

SendRoutes::SendRoutes(const Instance& instance) : fabric_(*instance.fabric), router_(*instance.router) {}

void SendRoutes::no_way(const ResolvedSend& send, NodeId target) const {
  fail(send.span, fmt::format("there is no way from {} to {} in {}", fabric_.name(send.source), fabric_.name(target),
                              fabric_.notation()));
}

std::span<const ChannelId> SendRoutes::natural(const ResolvedSend& send) {
  channels_.clear();
  if (!router_.append_route(send.source, send.targets[0], channels_)) no_way(send, send.targets[0]);
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
  if (stamps_.empty()) stamps_.resize(fabric_.channels());
  ++stamp_;
  for (const NodeId target : send.targets) {
    channels_.clear();
    if (!router_.append_route(send.source, target, channels_)) no_way(send, target);
    for (std::uint32_t i = 0; i < channels_.size(); ++i) {
      std::uint32_t& stamp = stamps_[channels_[i].value];
      if (stamp == stamp_) continue;
      stamp = stamp_;
      timed_.push_back({channels_[i], i});
    }
  }
}

void SendRoutes::path(const ResolvedSend& send) {
  channels_.clear();
  if (send.along.empty()) {
    natural(send);
  } else {
    NodeId at = send.source;
    for (std::size_t i = 0; i < send.along.size(); ++i) {
      const auto channel = fabric_.channel_between(at, send.along[i]);
      if (!channel) {
        const Span span =
            i < send.statement->along.size() ? send.statement->along[i].span : send.statement->target.span;
        fail(span, fmt::format("there is no channel from {} to {} in {}", fabric_.name(at), fabric_.name(send.along[i]),
                               fabric_.notation()));
      }
      channels_.push_back(*channel);
      at = send.along[i];
    }
  }
  std::uint64_t offset = 0;
  std::size_t waited = 0;
  for (const ChannelId channel : channels_) {
    const NodeId at = fabric_.channel(channel).from;
    if (at != send.source) {
      for (const auto& [node, steps] : send.waits) {
        if (node == at) offset += steps, ++waited;
      }
    }
    if (offset > max_step) fail(send.span, fmt::format("the packet waits beyond step {}; that is the limit", max_step));
    timed_.push_back({channel, static_cast<std::uint32_t>(offset++)});
  }
  if (waited < send.waits.size()) {
    for (std::size_t i = 0; i < send.waits.size(); ++i) {
      const NodeId node = send.waits[i].first;
      const bool passed = std::any_of(channels_.begin(), channels_.end(), [&](ChannelId c) {
        return fabric_.channel(c).from == node && node != send.source;
      });
      if (!passed)
        fail(send.statement->waits[i].at.span, fmt::format("the packet does not pass through {}", fabric_.name(node)));
    }
  }
}

}  // namespace quadrille
