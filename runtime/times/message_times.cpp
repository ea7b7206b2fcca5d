// Paths are added up inwards, from the ends of the tree to its root. For example, for 0 to 1 and 2 around switch 3:
// first 3->1 and 3->2, then 0->3 with the slower of the two. Cost: a look-up in an ordered map for each channel,
// where links differ.
#include "runtime/times/message_times.h"

#include <algorithm>
#include <map>

namespace quadrille::replaying {

double slowest_chunk(const Message& message, const ChannelTimes& times) {
  if (times.all_usual()) return times.usual_chunk();
  double slowest = 0;
  for (const Message::Hop& hop : message.hops) slowest = std::max(slowest, times.chunk(hop.channel));
  return slowest;
}

double slowest_path(const Message& message, const Fabric& fabric, const ChannelTimes& times) {
  if (times.all_usual()) return static_cast<double>(message.longest) * times.usual_hop();
  const bool joins = message.joins();  // then the root is the receiver
  std::map<NodeId, double> beyond;     // from a node to the ends, as seen from the root
  double slowest = 0;
  for (const std::uint32_t hop : message.inwards) {
    const ChannelId id = message.hops[hop].channel;
    const Channel& channel = fabric.channel(id);
    const double way = times.hop(id) + beyond[joins ? channel.from : channel.to];
    double& here = beyond[joins ? channel.to : channel.from];
    here = std::max(here, way);
    slowest = std::max(slowest, way);
  }
  return slowest;
}

}  // namespace quadrille::replaying
