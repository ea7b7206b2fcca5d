// For example, around one switch with a lane each way, two messages of three packets from 0 have load 6 in one round,
// and in two rounds as well. Cost: the channels of all routes.
#include "place/rounds/round_loads.h"

#include "place/calendar/least_route.h"

namespace quadrille {

std::uint64_t crossing_load(const Fabric& fabric, const MadeMessage& message) {
  return fabric.rules().paths == Paths::shared ? message.chunks.size() : 1;
}

double load_of_rounds(const Fabric& fabric, const MessageList& messages, std::span<const std::uint32_t> rounds,
                      std::span<const std::vector<ChannelId>> routes) {
  if (fabric.rules().paths != Paths::shared) return 0;
  RouteLoads loads(fabric);
  for (std::size_t m = 0; m < messages.size(); ++m)
    loads.add(routes[m], crossing_load(fabric, messages.at(m)), rounds[m]);
  return loads.sum_of_greatest();
}

}  // namespace quadrille
