// The router gives default routes, leg by leg. A leg that would meet a closed node is searched for breadth-first
// without it; a detour is searched from the source outwards, to the first node where packets can wait. Cost: hops; for
// those searches, the fabric's channels.
//
// For example, a transfer 0 -> 2 with the ends 1 and 2, placed on a mesh, takes the default route from 0 to 1 and from
// there on to 2. On a line 0 - 1 - 2, a leg from 0 would take a packet from 1 to 2 through its origin 1, and there is
// no route around it; so it keeps the direct one, and the needs (needs.h) judge the result.
#include "place/steps/transfer_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <queue>

#include "model/text/evaluation_error.h"
#include "place/flights/no_route.h"

namespace quadrille {

bool same_channels(const Fabric& a, const Fabric& b) {
  if (a.nodes() != b.nodes() || a.channels() != b.channels()) return false;
  if (!a.lists_channels() && !b.lists_channels()) return true;
  const auto same = [](const Channel& x, const Channel& y) { return x.from == y.from && x.to == y.to; };
  const auto ours = a.all_channels();
  const auto theirs = b.all_channels();
  return std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(), same);
}

std::optional<std::vector<ChannelId>> named_path_on(const Fabric& target, std::span<const ChannelId> path,
                                                    const Fabric& written_for) {
  const auto here = [&](NodeId node) {
    return written_for.is_processor(node) ? std::optional(node) : target.node_named(written_for.name(node));
  };
  std::vector<ChannelId> channels;
  for (const ChannelId hop : path) {
    const Channel& written = written_for.channel(hop);
    const auto from = here(written.from);
    const auto to = here(written.to);
    const auto channel = from && to ? target.channel_between(*from, *to) : std::nullopt;
    if (!channel) return std::nullopt;
    channels.push_back(*channel);
  }
  return channels;
}

TransferRoutes::TransferRoutes(const Fabric& written_for, const Fabric& target, const Collective& collective)
    : written_for_(written_for),
      target_(target),
      collective_(collective),
      router_(target),
      choice_(target, router_),
      least_routes_(target, router_),
      in_route_(target) {
  if (!(written_for == target)) paths_ = same_channels(written_for, target) ? Paths::without_waits : Paths::elsewhere;
}

TransferRoutes::Route TransferRoutes::of(const RoutedSend& send) {
  channels_.clear();
  end_hops_.clear();
  bool by_default = false;
  if (as_written(send)) {
    channels_.erase(channels_.begin(), channels_.begin() + send.read_hop);
    for (const SendEnd& end : send.ends) end_hops_.push_back(end.hop - send.read_hop);
    by_default = is_default(send);
  } else if (send.flight.target == send.flight.source) {
    default_tree(send);
  } else {
    default_path(send);
    by_default = send.ends.size() == 1 && !collective_.combining();
  }
  settle(send, paths_ == Paths::as_written && !send.written.empty());
  return {hops_, end_offsets_, by_default};
}

// Whether what is written is the default route here as well.
bool TransferRoutes::is_default(const RoutedSend& send) {
  if (send.flight.hops > 0 || paths_ == Paths::elsewhere) return false;
  if (paths_ == Paths::as_written) return true;
  default_.clear();
  return router_.append_route(send.source, send.flight.target, default_) && default_ == channels_;
}

// Nobody says its route: no `along`, no wait, no rule of the fabric's own; it is a shortest one, and to one end only.
bool TransferRoutes::has_choice(const RoutedSend& send) const {
  const Flight& flight = send.flight;
  if (flight.named_path || flight.target == flight.source || send.ends.size() != 1 || hops_.empty()) return false;
  const NodeId end = send.ends.front().node;
  const NodeId start = target_.channel(hops_.front().channel).from;
  const bool waits = hops_.back().offset + 1 != hops_.size();
  return !waits && target_.channel(hops_.back().channel).to == end && router_.leaves_choice(start, end) &&
         router_.distance(start, end) == hops_.size();
}

std::optional<std::uint32_t> TransferRoutes::choose(const RoutedSend& send, const Calendar& calendar,
                                                    std::uint32_t first, Route& route, const RouteLoads* loads) {
  if (!has_choice(send)) return std::nullopt;
  const auto free = [&](const TimedChannel& hop) { return calendar.free(hop.channel, first + hop.offset); };
  if (loads == nullptr && std::ranges::all_of(route.hops, free)) return first;
  const std::vector<NodeId> closed = closed_for(send);
  const NodeId start = target_.channel(channels_.front()).from;
  std::vector<ChannelId> chosen;
  const NodeId end = send.ends.front().node;
  const std::uint32_t step = choice_.first_free(calendar, start, end, closed, {}, first, chosen);
  if (step == 0) return std::nullopt;
  if (loads != nullptr) {
    const auto price = [&](ChannelId channel, std::uint32_t hop) {
      return calendar.free(channel, step + hop) ? loads->price(channel, 1) : no_price;
    };
    chosen.clear();
    least_routes_.append(start, end, closed, price, chosen);
  }
  channels_ = std::move(chosen);
  settle(send, false);
  route = {hops_, end_offsets_};
  return step;
}

std::vector<ChannelId> TransferRoutes::least_loaded(const RoutedSend& send, const RouteLoads& loads) {
  of(send);
  std::vector<ChannelId> chosen;
  if (!has_choice(send)) return chosen;
  const auto price = [&](ChannelId channel, std::uint32_t) { return loads.price(channel, 1); };
  const NodeId start = target_.channel(channels_.front()).from;
  least_routes_.append(start, send.ends.front().node, closed_for(send), price, chosen);
  return chosen;
}

// The nodes that a packet that combines avoids on its way.
std::vector<NodeId> TransferRoutes::closed_for(const RoutedSend& send) const {
  if (!collective_.combining()) return {};
  const ChunkName name = collective_.name(send.flight.chunk);
  return {NodeId(name.origin), NodeId(name.target.value_or(name.origin))};
}

bool TransferRoutes::as_written(const RoutedSend& send) {
  if (send.written.empty()) return false;
  if (paths_ == Paths::elsewhere) return send.flight.named_path && named_path(send);
  for (const Hop& hop : send.written) channels_.push_back(hop.channel);
  return true;
}

// The nodes that the schedule names, if the fabric has them and their channels.
bool TransferRoutes::named_path(const RoutedSend& send) {
  std::vector<ChannelId> written;
  for (const Hop& hop : send.written) written.push_back(hop.channel);
  const auto here = named_path_on(target_, written, written_for_);
  if (here) channels_ = *here;
  return here.has_value();
}

void TransferRoutes::default_path(const RoutedSend& send) {
  NodeId at = send.source;
  for (const SendEnd& end : send.ends) {
    append_leg(at, end.node, send.flight.chunk, false);
    end_hops_.push_back(channels_.empty() ? 0 : static_cast<std::uint32_t>(channels_.size() - 1));
    at = end.node;
  }
}

// Where the packet starts: several places for a multicast that has been reversed.
std::vector<NodeId> TransferRoutes::roots(const RoutedSend& send) const {
  std::vector<NodeId> roots;
  std::vector<NodeId> reached;
  for (const Hop& hop : send.written) {
    const Channel& channel = written_for_.channel(hop.channel);
    const auto met = [&](const std::vector<NodeId>& nodes) {
      return std::find(nodes.begin(), nodes.end(), channel.from) != nodes.end();
    };
    if (!met(reached) && !met(roots)) roots.push_back(channel.from);
    reached.push_back(channel.to);
  }
  return roots;
}

void TransferRoutes::default_tree(const RoutedSend& send) {
  in_route_.begin();
  std::vector<ChannelId> tree;
  for (const NodeId root : roots(send)) {
    for (const SendEnd& end : send.ends) {
      const NodeId to =
          target_.is_processor(end.node) && written_for_.is_processor(end.node) ? end.node : send.flight.target;
      if (root == to) continue;
      append_leg(root, to, send.flight.chunk, true);
      for (const ChannelId channel : channels_) {
        if (!std::exchange(in_route_[channel], true)) tree.push_back(channel);
      }
      channels_.clear();
    }
  }
  channels_ = std::move(tree);
  for (const SendEnd& end : send.ends) {
    const auto brings = [&](ChannelId channel) { return target_.channel(channel).to == end.node; };
    const auto hop = std::find_if(channels_.begin(), channels_.end(), brings);
    end_hops_.push_back(hop == channels_.end() ? 0 : static_cast<std::uint32_t>(hop - channels_.begin()));
  }
}

void TransferRoutes::append_leg(NodeId from, NodeId to, ChunkId chunk, bool in_tree) {
  const std::size_t begin = channels_.size();
  const bool found =
      in_tree ? router_.append_route_in_tree(from, to, channels_) : router_.append_route(from, to, channels_);
  if (!found) no_route(target_, from, to);
  if (!collective_.combining()) return;
  const ChunkName name = collective_.name(chunk);
  // Passing its target in between, the packet would be joined there; passing its origin, it would be exchanged.
  const std::array closed = {NodeId(name.origin), NodeId(name.target.value_or(name.origin))};
  const bool meets =
      std::any_of(channels_.begin() + static_cast<std::ptrdiff_t>(begin), channels_.end(), [&](ChannelId channel) {
        const NodeId node = target_.channel(channel).to;
        return node != to && (node == closed[0] || node == closed[1]);
      });
  if (!meets) return;
  const std::vector<ChannelId> direct(channels_.begin() + static_cast<std::ptrdiff_t>(begin), channels_.end());
  channels_.resize(begin);
  if (!append_around(from, to, closed)) channels_.insert(channels_.end(), direct.begin(), direct.end());
}

// A shortest path that avoids the closed nodes, if there is one.
bool TransferRoutes::append_around(NodeId from, NodeId to, std::span<const NodeId> closed) {
  if (const auto direct = target_.channel_between(from, to)) {
    channels_.push_back(*direct);
    return true;
  }
  std::map<NodeId, ChannelId> brought;
  std::queue<NodeId> open({from});
  while (!open.empty() && !brought.contains(to)) {
    const NodeId node = open.front();
    open.pop();
    for (const ChannelId channel : target_.channels_from(node)) {
      const NodeId next = target_.channel(channel).to;
      const bool shut = next != to && std::find(closed.begin(), closed.end(), next) != closed.end();
      if (!shut && next != from && brought.emplace(next, channel).second) open.push(next);
    }
  }
  if (!brought.contains(to)) return false;
  std::vector<ChannelId> path;
  for (NodeId node = to; node != from; node = target_.channel(path.back()).from) path.push_back(brought.at(node));
  channels_.insert(channels_.end(), path.rbegin(), path.rend());
  return true;
}

bool TransferRoutes::can_stop(NodeId node) const { return target_.is_processor(node) || !target_.rules().queue.limit; }

std::optional<std::uint32_t> TransferRoutes::stop_in(const RoutedSend& send, bool may_detour, Route& route,
                                                     std::span<const ChannelId> by) {
  route = of(send);
  if (send.ends.size() != 1) return std::nullopt;
  if (!by.empty()) {
    channels_.assign(by.begin(), by.end());
    end_hops_.assign(1, static_cast<std::uint32_t>(channels_.size() - 1));
    settle(send, false);
    route = {hops_, end_offsets_};
  }
  const auto first_stop = [&]() -> std::optional<std::uint32_t> {
    for (std::uint32_t h = 0; h + 1 < hops_.size(); ++h) {
      if (can_stop(target_.channel(hops_[h].channel).to)) return h + 1;
    }
    return std::nullopt;
  };
  const auto stop = first_stop();
  if (stop || !may_detour || !detour(send)) return stop;
  end_hops_.assign(1, static_cast<std::uint32_t>(channels_.size() - 1));
  settle(send, false);
  route = {hops_, end_offsets_};
  return first_stop();
}

// By the nearest node where packets can wait, clear of the packet's origin and target.
bool TransferRoutes::detour(const RoutedSend& send) {
  const NodeId source = send.source;
  const NodeId end = send.ends.front().node;
  const ChunkName name = collective_.name(send.flight.chunk);
  const std::array closed = {NodeId(name.origin), NodeId(name.target.value_or(name.origin)), source, end};
  std::vector<std::uint32_t> seen(target_.nodes());
  std::queue<NodeId> open({source});
  seen[source.value] = 1;
  while (!open.empty()) {
    const NodeId node = open.front();
    open.pop();
    channels_.clear();
    // Nearest first: the first node that can hold the packet, and from which the end is still reached.
    const bool stops = node != source && can_stop(node);
    if (stops && append_around(source, node, closed) && append_around(node, end, closed)) return true;
    for (const ChannelId channel : target_.channels_from(node)) {
      const NodeId next = target_.channel(channel).to;
      if (std::find(closed.begin(), closed.end(), next) != closed.end()) continue;
      if (std::exchange(seen[next.value], 1) == 0) open.push(next);
    }
  }
  return false;
}

// Every hop as soon as the packet is there, and its ports are free of the route's other hops.
void TransferRoutes::settle(const RoutedSend& send, bool keep_waits) {
  const bool single = target_.rules().ports == Ports::single;
  const auto written = send.written.subspan(send.read_hop);
  const bool tree = send.flight.target == send.flight.source;
  std::map<NodeId, std::uint32_t> ready;
  std::map<std::pair<NodeId, bool>, std::vector<std::uint32_t>> busy;  // node, sending; trees only
  hops_.clear();
  for (std::size_t h = 0; h < channels_.size(); ++h) {
    const Channel& channel = target_.channel(channels_[h]);
    // At the soonest when it is written, if waits are kept; when the packet is at the tail; when both ports are free of
    // the route's own other hops. The fabric's other traffic is the calendar's concern.
    std::uint32_t offset = keep_waits ? written[h].step - written[0].step : 0;
    if (tree) {
      const auto found = ready.find(channel.from);
      if (found != ready.end()) offset = std::max(offset, found->second);
    } else if (h > 0) {
      offset = std::max(offset, hops_.back().offset + 1);
    }
    if (tree && single) {
      const auto taken = [&](NodeId node, bool sending) {
        const auto& steps = busy[{node, sending}];
        return target_.is_processor(node) && std::find(steps.begin(), steps.end(), offset) != steps.end();
      };
      const bool half = target_.rules().duplex == Duplex::half;
      while (taken(channel.from, true) || taken(channel.to, false) ||
             (half && (taken(channel.from, false) || taken(channel.to, true)))) {
        ++offset;
      }
      busy[{channel.from, true}].push_back(offset);
      busy[{channel.to, false}].push_back(offset);
    }
    hops_.push_back({channels_[h], offset});
    if (tree) ready.emplace(channel.to, offset + 1);
  }
  end_offsets_.clear();
  for (const std::uint32_t hop : end_hops_) end_offsets_.push_back(hops_[hop].offset);
}

}  // namespace quadrille
