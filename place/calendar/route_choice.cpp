// Each node on a shortest route has a distance from the source, and every channel of these routes leads one step nearer
// to the target. So a packet that leaves in step s reaches a node at distance d after step s + d - 1, whichever route
// it took: whether it can go on from there depends on s alone. This is worked out for 64 starts at once, a bit for
// each, from the target back to the source: a node leads on for a start if some channel is free then, and the channel's
// head leads on, too.
//
//       b1      from a to d: if a->b1 is free in the steps 1 and 3, b1->d in 3 and 4, then b1 leads on for the starts 2
//     a    d    and 3 (it is crossed one step later), and a by way of b1 for start 3; with b2, for all that either has
//       b2
//
// Cost: for each 64 starts that are tried, the channels on shortest routes, once.
#include "place/calendar/route_choice.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace quadrille {
namespace {

constexpr std::uint32_t no_place = std::numeric_limits<std::uint32_t>::max();

}  // namespace

RouteChoice::RouteChoice(const Fabric& fabric, const Router& router, Moving what)
    : fabric_(fabric), steps_(what == Moving::packets ? 1 : 0), router_(router), place_of_(fabric.nodes(), no_place) {}

std::uint32_t RouteChoice::first_free(const Calendar& calendar, NodeId source, NodeId target,
                                      std::span<const NodeId> closed, std::span<const Use> also, std::uint32_t first,
                                      std::vector<ChannelId>& channels) {
  find_places(source, target, closed);
  if (places_.front().ways.empty()) return 0;
  for (find_starts(calendar, also, first); places_.front().starts == 0; find_starts(calendar, also, first))
    first += FreeSteps::window;
  const auto later = static_cast<std::uint32_t>(std::countr_zero(places_.front().starts));
  for (const Place* at = &places_.front(); !at->ways.empty();) {
    const auto leads_on = [&](const Way& way) {
      return (places_[way.head].starts >> later & 1U) != 0 && calendar.free(way.channel, first + later + at->distance);
    };
    const Way& way = *std::find_if(at->ways.begin(), at->ways.end(), leads_on);
    channels.push_back(way.channel);
    at = &places_[way.head];
  }
  return first + later;
}

// Breadth first from the source; then, from the farthest on, ways that come to a closed node or to a dead end go.
void RouteChoice::find_places(NodeId source, NodeId target, std::span<const NodeId> closed) {
  places_.assign(1, {});
  std::vector<NodeId> nodes{source};
  place_of_[source.value] = 0;
  for (std::uint32_t p = 0; p < nodes.size(); ++p) {
    std::vector<ChannelId> onward = router_.first_channels(nodes[p], target);
    // Begins with the default route's channel (model/route.h).
    if (!onward.empty()) std::rotate(onward.begin(), onward.begin() + target.value % onward.size(), onward.end());
    for (const ChannelId channel : onward) {
      const NodeId head = fabric_.channel(channel).to;
      if (head != target && std::find(closed.begin(), closed.end(), head) != closed.end()) continue;
      std::uint32_t& place = place_of_[head.value];
      if (place == no_place) {
        place = static_cast<std::uint32_t>(nodes.size());
        nodes.push_back(head);
        places_.emplace_back().distance = places_[p].distance + steps_;
      }
      places_[p].ways.push_back({channel, place});
    }
  }
  for (std::size_t p = nodes.size(); p-- > 0;) {
    std::erase_if(places_[p].ways, [&](const Way& way) {
      return places_[way.head].ways.empty() && fabric_.channel(way.channel).to != target;
    });
    place_of_[nodes[p].value] = no_place;
  }
}

// Places are by distance, so the heads of a place's ways come after it.
void RouteChoice::find_starts(const Calendar& calendar, std::span<const Use> also, std::uint32_t first) {
  for (std::size_t p = places_.size(); p-- > 0;) {
    Place& place = places_[p];
    place.starts = place.ways.empty() ? ~std::uint64_t{0} : 0;
    for (const Way& way : place.ways)
      place.starts |= places_[way.head].starts & calendar.free_from(way.channel, first + place.distance);
  }
  places_.front().starts &= calendar.free_from(also, first);
}

}  // namespace quadrille
