#include "tests/reference/slow_calendar.h"

#include <algorithm>

namespace quadrille::reference {

std::uint32_t SlowCalendar::crossed(ChannelId id, std::uint32_t step) const {
  const auto found = crossed_.find({id.value, step});
  return found == crossed_.end() ? 0 : found->second;
}

bool SlowCalendar::free(ChannelId id, std::uint32_t step) const {
  const Channel& channel = fabric_.channel(id);
  const bool half = fabric_.rules().duplex == Duplex::half;
  const std::uint32_t used = crossed(id, step);
  if (used >= channel.capacity) return false;
  const auto back = fabric_.channel_between(channel.to, channel.from);
  const ChannelId lower = back ? std::min(id, *back) : id;
  if (half && back && used + crossed(*back, step) >= fabric_.channel(lower).capacity) return false;
  if (fabric_.rules().ports != Ports::single) return true;
  for (ChannelId other(0); other.value < fabric_.channels(); ++other.value) {
    if (crossed(other, step) == 0) continue;
    const auto meet = [&](NodeId a, NodeId b) { return a == b && fabric_.is_processor(a); };
    const Channel& it = fabric_.channel(other);
    if (meet(channel.from, it.from) || meet(channel.to, it.to)) return false;
    if (half && (meet(channel.from, it.to) || meet(channel.to, it.from))) return false;
  }
  return true;
}

std::uint32_t SlowCalendar::first_free(std::span<const TimedChannel> route, std::uint32_t first) const {
  const auto all_free = [&] {
    return std::all_of(route.begin(), route.end(),
                       [&](const TimedChannel& hop) { return free(hop.channel, first + hop.offset); });
  };
  while (!all_free()) ++first;
  return first;
}

std::uint32_t SlowCalendar::first_free(const Router& router, NodeId source, NodeId target, std::uint32_t first,
                                       std::vector<ChannelId>& channels) const {
  while (!go(router, source, target, first, channels)) ++first;
  return first;
}

bool SlowCalendar::go(const Router& router, NodeId at, NodeId target, std::uint32_t step,
                      std::vector<ChannelId>& channels) const {
  if (at == target) return true;
  std::vector<ChannelId> onward = router.first_channels(at, target);
  if (!onward.empty()) std::rotate(onward.begin(), onward.begin() + target.value % onward.size(), onward.end());
  for (const ChannelId channel : onward) {
    if (!free(channel, step)) continue;
    channels.push_back(channel);
    if (go(router, fabric_.channel(channel).to, target, step + 1, channels)) return true;
    channels.pop_back();
  }
  return false;
}

void SlowCalendar::book(ChannelId id, std::uint32_t step) { ++crossed_[{id.value, step}]; }

}  // namespace quadrille::reference
