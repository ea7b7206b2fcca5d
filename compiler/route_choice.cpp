// The nodes on shortest routes from a source to a target have a distance each, and every channel leads one nearer. So a
// packet that leaves in step s is at a node at distance d from the source after step s + d - 1, whichever way it came:
// whether it gets on from there is found once for each start.
//
//       b1      from a to d: if a->b1 is free in step 1, but b1->d is not in step 2, then b1 is dead for this start,
//       and
//     a    d    b2 is tried; if that is dead, too, the packet leaves in step 2 at the earliest
//       b2
//
// Cost: for each start that is tried, the channels on shortest routes, once.
#include "compiler/route_choice.h"

#include <algorithm>
#include <limits>

namespace quadrille {
namespace {

constexpr std::uint32_t no_place = std::numeric_limits<std::uint32_t>::max();

}  // namespace

RouteChoice::RouteChoice(const Fabric& fabric, const Router& router)
    : fabric_(fabric), router_(router), place_of_(fabric.nodes(), no_place) {}

std::uint32_t RouteChoice::first_free(const Calendar& calendar, NodeId source, NodeId target,
                                      std::span<const NodeId> closed, std::uint32_t first,
                                      std::vector<ChannelId>& channels) {
  find_places(source, target, closed);
  if (places_.front().ways.empty()) return 0;
  const std::size_t before = channels.size();
  for (std::uint32_t start = first;; ++start) {
    if (go(calendar, 0, start, start, channels)) return start;
    channels.resize(before);
  }
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
        places_.emplace_back();
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

// From a place on, in that step, of a packet that left in step `start`; appends what is left of the route.
bool RouteChoice::go(const Calendar& calendar, std::uint32_t place, std::uint32_t start, std::uint32_t step,
                     std::vector<ChannelId>& channels) {
  if (places_[place].ways.empty()) return true;
  if (places_[place].dead_at == start) return false;
  for (const Way& way : places_[place].ways) {
    if (!calendar.free(way.channel, step)) continue;
    channels.push_back(way.channel);
    if (go(calendar, way.head, start, step + 1, channels)) return true;
    channels.pop_back();
  }
  places_[place].dead_at = start;
  return false;
}

}  // namespace quadrille
