// Counts by round in hash tables, as long as what is booked. A shortest route through free channels is searched depth
// first, nodes that lead nowhere once only. For example, on a leaf-spine fabric whose spine 0 is taken by a message of
// the round, one from the same leaf goes by spine 1. Cost: a look-up for each channel; of a search, for each channel
// that begins a shortest route.
#include "compiler/round_calendar.h"

#include <algorithm>
#include <unordered_set>

namespace quadrille {

RoundCalendar::RoundCalendar(const Fabric& fabric, const Router& router)
    : fabric_(fabric),
      router_(router),
      held_(fabric.rules().paths == Paths::held),
      half_(fabric.rules().duplex == Duplex::half),
      single_(fabric.rules().ports == Ports::single) {}

std::uint32_t RoundCalendar::count(const Uses& uses, std::uint32_t round, std::uint32_t what) {
  const auto found = uses.find(key(round, what));
  return found == uses.end() ? 0 : found->second;
}

bool RoundCalendar::lane_free(ChannelId channel, std::uint32_t round) const {
  if (!held_) return true;
  const std::uint32_t used = count(lanes_, round, channel.value);
  if (used >= fabric_.channel(channel).capacity) return false;
  const auto back = half_ ? fabric_.reverse(channel) : std::nullopt;
  if (!back) return true;
  return used + count(lanes_, round, back->value) < fabric_.channel(fabric_.link(channel)).capacity;
}

bool RoundCalendar::ports_free(const MadeMessage& message, std::uint32_t round) const {
  if (!single_) return true;
  const auto taken = [&](const Uses& uses, NodeId node) { return count(uses, round, node.value) > 0; };
  if (taken(sends_, message.sender) || (half_ && taken(receives_, message.sender))) return false;
  return std::none_of(message.receivers.begin(), message.receivers.end(),
                      [&](NodeId node) { return taken(receives_, node) || (half_ && taken(sends_, node)); });
}

bool RoundCalendar::free(const MadeMessage& message, std::uint32_t round) const {
  return ports_free(message, round) && std::all_of(message.channels.begin(), message.channels.end(),
                                                   [&](ChannelId channel) { return lane_free(channel, round); });
}

bool RoundCalendar::free_by_any(const MadeMessage& message, std::uint32_t round, std::vector<ChannelId>& route) const {
  if (!ports_free(message, round)) return false;
  const NodeId target = message.receivers.front();
  struct Open {
    std::vector<ChannelId> ways;
    std::size_t next = 0;
  };
  route.clear();
  std::unordered_set<std::uint32_t> seen;
  std::vector<Open> open{{router_.first_channels(message.sender, target)}};
  while (!open.empty()) {
    Open& here = open.back();
    if (here.next == here.ways.size()) {
      open.pop_back();
      if (!route.empty()) route.pop_back();
      continue;
    }
    const ChannelId channel = here.ways[here.next++];
    const NodeId to = fabric_.channel(channel).to;
    if (!lane_free(channel, round) || !seen.insert(to.value).second) continue;
    route.push_back(channel);
    if (to == target) return true;
    open.push_back({router_.first_channels(to, target)});
  }
  return false;
}

void RoundCalendar::book(const MadeMessage& message, std::uint32_t round) {
  if (held_) {
    for (const ChannelId channel : message.channels) ++lanes_[key(round, channel.value)];
  }
  if (!single_) return;
  ++sends_[key(round, message.sender.value)];
  for (const NodeId node : message.receivers) ++receives_[key(round, node.value)];
}

}  // namespace quadrille
