// RouteChoice: of several shortest routes, a send takes the one that is free first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/fabric.h"
#include "model/route.h"
#include "place/calendar/calendar.h"

namespace quadrille {

class RouteChoice {
 public:
  // Both must outlive it.
  RouteChoice(const Fabric& fabric, const Router& router, Moving what = Moving::packets);

  // Finds the first step from `first` on in which there is room for the uses, and a packet can leave and cross some
  // shortest route from `source` to `target` without a wait; or a message can cross it at once. Appends that route. Of
  // routes free in the same step it is the default one, or the first in the order that begins with it, at every node.
  // It passes none of the closed nodes; if every shortest route does, nothing is appended and the result is 0.
  std::uint32_t first_free(const Calendar& calendar, NodeId source, NodeId target, std::span<const NodeId> closed,
                           std::span<const Use> also, std::uint32_t first, std::vector<ChannelId>& channels);

 private:
  struct Way {
    ChannelId channel;
    std::uint32_t head = 0;  // index into places_
  };
  struct Place {
    std::vector<Way> ways;       // in the order in which they are tried; none: the target
    std::uint32_t distance = 0;  // from the source, in steps; of messages 0
    std::uint64_t starts = 0;    // bit i: whether the target is reached from here by a packet that left in `first` + i
  };

  void find_places(NodeId source, NodeId target, std::span<const NodeId> closed);
  void find_starts(const Calendar& calendar, std::span<const Use> also, std::uint32_t first);

  const Fabric& fabric_;
  std::uint32_t steps_;  // that a channel takes
  const Router& router_;
  std::vector<Place> places_;  // [0]: the source; those from which the target is reached, by distance from the source
  std::vector<std::uint32_t> place_of_;  // by node; only those of the current search are set
};

}  // namespace quadrille
