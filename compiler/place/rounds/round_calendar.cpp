// Counts by round in hash tables, as long as what is booked. A shortest route through free channels is searched depth
// first, nodes that lead nowhere once only. For example, on a leaf-spine fabric whose spine 0 is taken by a message of
// the round, one from the same leaf goes by spine 1. Cost: a look-up for each channel; of a search, for each channel
// that begins a shortest route.
#include "compiler/place/rounds/round_calendar.h"

#include <algorithm>
#include <unordered_set>

namespace quadrille {

RoundCalendar::RoundCalendar(const Fabric& fabric, const Router& router, const Collective* joins)
    : fabric_(fabric),
      router_(router),
      held_(fabric.rules().paths == Paths::held),
      half_(fabric.rules().duplex == Duplex::half),
      single_(fabric.rules().ports == Ports::single) {
  if (joins != nullptr) joins_.emplace(fabric, *joins);
}

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

bool RoundCalendar::sender_free(NodeId sender, std::uint32_t round) const {
  if (!single_) return true;
  return count(sends_, round, sender.value) == 0 && !(half_ && count(receives_, round, sender.value) > 0);
}

bool RoundCalendar::receivers_free(const MadeMessage& message, std::uint32_t round) const {
  if (!single_) return true;
  return std::all_of(message.receivers.begin(), message.receivers.end(), [&](NodeId node) {
    return count(receives_, round, node.value) == 0 && !(half_ && count(sends_, round, node.value) > 0);
  });
}

JoiningRounds::Fit RoundCalendar::fit(std::span<const ChannelId> path, std::uint32_t round,
                                      const JoiningLoad* load) const {
  if (joins_ && load != nullptr) return joins_->fit(*load, path, round);
  return {true, false, path.size()};
}

bool RoundCalendar::free(const MadeMessage& message, std::uint32_t round, const JoiningLoad* load) const {
  const JoiningRounds::Fit fits = fit(message.channels, round, load);
  return fits.allowed && sender_free(message.sender, round) && (fits.joins || receivers_free(message, round)) &&
         std::ranges::all_of(message.channels.first(fits.channels),
                             [&](ChannelId channel) { return lane_free(channel, round); });
}

// Whether a route whose lanes are free is of use.
bool RoundCalendar::arrives(const MadeMessage& message, std::uint32_t round, std::span<const ChannelId> route,
                            const JoiningLoad* load) const {
  const JoiningRounds::Fit fits = fit(route, round, load);
  return fits.allowed && (fits.joins || receivers_free(message, round));
}

// Whether it may go on from there with another message; then the route is the whole one.
bool RoundCalendar::goes_on(std::uint32_t round, NodeId at, std::vector<ChannelId>& route,
                            const JoiningLoad* load) const {
  if (!joins_ || load == nullptr) return false;
  const std::size_t own = route.size();
  if (joins_->follow(*load, at, round, route)) {
    // Only if they do join there: of the rest of the way no lane has been looked at.
    const JoiningRounds::Fit fits = fit(route, round, load);
    if (fits.joins && fits.allowed && fits.channels <= own) return true;
  }
  route.resize(own);
  return false;
}

bool RoundCalendar::free_by_any(const MadeMessage& message, std::uint32_t round, std::vector<ChannelId>& route,
                                const JoiningLoad* load) const {
  if (!sender_free(message.sender, round)) return false;
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
    if (goes_on(round, to, route, load)) return true;
    if (to == target) {
      if (arrives(message, round, route, load)) return true;
      route.pop_back();
      seen.erase(to.value);  // by another way it may join others
      continue;
    }
    open.push_back({router_.first_channels(to, target)});
  }
  return false;
}

void RoundCalendar::book(const MadeMessage& message, std::uint32_t round, const JoiningLoad* load) {
  const JoiningRounds::Fit fits = fit(message.channels, round, load);
  if (joins_ && load != nullptr) joins_->book(*load, message.channels, round);
  if (held_) {
    for (const ChannelId channel : message.channels.first(fits.channels)) ++lanes_[key(round, channel.value)];
  }
  if (!single_) return;
  ++sends_[key(round, message.sender.value)];
  if (fits.joins) return;
  for (const NodeId node : message.receivers) ++receives_[key(round, node.value)];
}

}  // namespace quadrille
