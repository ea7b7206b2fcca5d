#include "runtime/times/channel_times.h"

#include "model/text/quantity.h"

namespace quadrille::replaying {

ChannelTimes::ChannelTimes(const Fabric& fabric, const TransferCosts& costs, double bytes_per_chunk)
    : costs_(costs), chunk_(costs.byte * bytes_per_chunk) {
  for (const LinkSpeed& speed : fabric.link_speeds()) {
    Times& times = of_channel_.emplace_back(Times{costs.hop, chunk_});
    if (speed.latency) times.hop = static_cast<double>(*speed.latency) * 1e-12;
    if (speed.bandwidth) times.chunk = bytes_per_chunk / static_cast<double>(*speed.bandwidth);
  }
}

}  // namespace quadrille::replaying
