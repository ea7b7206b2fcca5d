// The time that channels add for the packets that cross them.
#pragma once

#include <vector>

#include "model/fabric.h"

namespace quadrille {

// The costs of a transfer (model/MODEL.md, Time), in seconds: to start, for each channel of its path, for each byte;
// and what a processor takes for each message that it sends or receives (LogGP's o). Links with a latency or bandwidth
// of their own use that instead.
struct TransferCosts {
  double start = 0;
  double hop = 0;
  double byte = 0;
  double overhead = 0;
};

namespace replaying {

// The times of channels, in seconds.
class ChannelTimes {
 public:
  ChannelTimes(const Fabric& fabric, const TransferCosts& costs, double bytes_per_chunk);
  // Makes all channels usual ones, whatever the fabric states of its links; a chunk takes so many seconds.
  ChannelTimes(const TransferCosts& costs, double chunk) : costs_(costs), chunk_(chunk) {}

  double start() const { return costs_.start; }
  double overhead() const { return costs_.overhead; }
  double hop(ChannelId channel) const { return of_channel_.empty() ? costs_.hop : of_channel_[channel.value].hop; }
  double chunk(ChannelId channel) const { return of_channel_.empty() ? chunk_ : of_channel_[channel.value].chunk; }

  // The time for which a chunk keeps the channel where paths are shared: it goes over all its lanes at once.
  double turn(ChannelId id, const Channel& channel) const { return chunk(id) / channel.capacity; }

  bool all_usual() const { return of_channel_.empty(); }
  // The times of a channel without a stated speed.
  double usual_hop() const { return costs_.hop; }
  double usual_chunk() const { return chunk_; }

 private:
  struct Times {
    double hop;
    double chunk;
  };

  TransferCosts costs_;
  double chunk_;
  std::vector<Times> of_channel_;  // empty: all are usual
};

}  // namespace replaying
}  // namespace quadrille
