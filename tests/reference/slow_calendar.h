// The calendar as it was at first: a count for each channel, port and step, steps tried one after another. The
// compiler's (place/calendar/calendar.h, place/calendar/route_choice.h) is compared with it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "model/fabric.h"
#include "model/route.h"
#include "place/calendar/calendar.h"

namespace quadrille::reference {

class SlowCalendar {
 public:
  explicit SlowCalendar(const Fabric& fabric) : fabric_(fabric) {}

  bool free(ChannelId id, std::uint32_t step) const;
  std::uint32_t first_free(std::span<const TimedChannel> route, std::uint32_t first) const;

  // The first step in which some shortest route is free, and the first such route in the order of RouteChoice.
  std::uint32_t first_free(const Router& router, NodeId source, NodeId target, std::uint32_t first,
                           std::vector<ChannelId>& channels) const;

  void book(ChannelId id, std::uint32_t step);

 private:
  bool go(const Router& router, NodeId at, NodeId target, std::uint32_t step, std::vector<ChannelId>& channels) const;
  std::uint32_t crossed(ChannelId id, std::uint32_t step) const;

  const Fabric& fabric_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> crossed_;  // by channel and step
};

}  // namespace quadrille::reference
