// Tracks are numbered in the order of their first use. For example, a processor that sends two packets in each step,
// over two channels, has the tracks "0 sends" and "0 sends (2)". Cost: look-ups in ordered maps.
#include "driver/look/trace_tracks.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace quadrille::driver {

std::uint32_t TraceTracks::add(std::uint32_t process, std::string name, std::uint64_t order) {
  new_.push_back({process, ++last_, std::move(name), order});
  return last_;
}

std::uint32_t TraceTracks::of_lane(ChannelId channel, LaneId lane) {
  const auto [place, isnew] = lanes_.try_emplace({channel, lane});
  if (isnew) {
    const std::uint32_t capacity = fabric_.channel(channel).capacity;
    const bool several = capacity > 1 || lane.value >= capacity;
    const std::string name = fabric_.name(channel) + (several ? fmt::format(" lane {}", lane.value) : "");
    const LaneId within(std::min(lane.value, capacity - 1));
    place->second = add(links_process, name, fabric_.lane_number(channel, within));
  }
  return place->second;
}

std::uint32_t TraceTracks::of_processor(NodeId processor, bool sends, std::uint32_t lane_track, std::uint64_t step) {
  AtOnce& at_once = at_once_[{processor, sends}];
  if (at_once.step != step) at_once = {step, {}};
  const auto next = static_cast<std::uint32_t>(at_once.slots.size());
  const std::uint32_t slot = at_once.slots.try_emplace(lane_track, next).first->second;
  const auto [place, isnew] = processors_.try_emplace({processor, sends, slot});
  if (isnew) {
    const std::string number = slot == 0 ? "" : fmt::format(" ({})", slot + 1);
    place->second =
        add(processors_process, fmt::format("{} {}{}", fabric_.name(processor), sends ? "sends" : "receives", number),
            2 * std::uint64_t{processor.value} + (sends ? 0 : 1));
  }
  return place->second;
}

std::vector<TraceTrack> TraceTracks::take_new() { return std::exchange(new_, {}); }

}  // namespace quadrille::driver
