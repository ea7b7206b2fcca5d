// A count for each channel and step of the packets that cross it, and for each processor's port, if there is one only.
// A route is free from the first step on in which all of its hops are: steps are tried one after another. For example,
// with one lane taken in the steps 1, 2 and 4, the first free step from 1 on is 3; that of a route which crosses it at
// offset 0 and a free channel at offset 1 is 3, too. Cost: hops for each step that is tried; memory, four bytes for
// each channel and step up to the last that is booked.
#include "compiler/calendar.h"

#include <algorithm>

namespace quadrille {
namespace {

std::uint32_t at(const std::vector<std::uint32_t>& counts, std::uint32_t step) {
  return step < counts.size() ? counts[step] : 0;
}

void add(std::vector<std::uint32_t>& counts, std::uint32_t step) {
  if (step >= counts.size()) counts.resize(std::max<std::size_t>(step + 1, counts.size() * 2));
  ++counts[step];
}

}  // namespace

Calendar::Calendar(const Fabric& fabric)
    : fabric_(fabric),
      channels_(fabric.channels()),
      sends_(fabric.rules().ports == Ports::single ? fabric.processors() : 0),
      receives_(sends_.size()) {}

bool Calendar::free(ChannelId id, std::uint32_t step) const {
  const Channel& channel = fabric_.channel(id);
  const std::uint32_t used = at(channels_[id.value], step);
  if (used >= channel.capacity) return false;
  // Both directions together carry what the lower-numbered one may.
  if (const auto back = half() ? fabric_.reverse(id) : std::nullopt) {
    if (used + at(channels_[back->value], step) >= fabric_.channel(fabric_.link(id)).capacity) return false;
  }
  if (!ports()) return true;
  return port_free(channel.from, sends_, receives_, step) && port_free(channel.to, receives_, sends_, step);
}

bool Calendar::free(std::span<const TimedChannel> route, std::uint32_t start) const {
  return std::all_of(route.begin(), route.end(),
                     [&](const TimedChannel& hop) { return free(hop.channel, start + hop.offset); });
}

std::uint32_t Calendar::first_free(std::span<const TimedChannel> route, std::uint32_t first) const {
  while (!free(route, first)) ++first;
  return first;
}

void Calendar::book(ChannelId id, std::uint32_t step) {
  const Channel& channel = fabric_.channel(id);
  add(channels_[id.value], step);
  if (!ports()) return;
  if (fabric_.is_processor(channel.from)) add(sends_[channel.from.value], step);
  if (fabric_.is_processor(channel.to)) add(receives_[channel.to.value], step);
}

void Calendar::book(std::span<const TimedChannel> route, std::uint32_t start) {
  for (const TimedChannel& hop : route) book(hop.channel, start + hop.offset);
}

bool Calendar::port_free(NodeId node, const std::vector<Counts>& own, const std::vector<Counts>& other,
                         std::uint32_t step) const {
  if (!fabric_.is_processor(node)) return true;
  return at(own[node.value], step) == 0 && (!half() || at(other[node.value], step) == 0);
}

}  // namespace quadrille
