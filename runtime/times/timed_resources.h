// Computes when the lanes and ports of a fabric are free again, in a replay in time (model/MODEL.md, Time).
#pragma once

#include <algorithm>
#include <memory_resource>
#include <vector>

#include "model/fabric.h"
#include "model/limits/work.h"
#include "motion/step_messages.h"

namespace quadrille::replaying {

class TimedResources {
 public:
  // Keeps references to both. `shared`: channels are crossed; otherwise lanes are kept.
  TimedResources(const Fabric& fabric, bool shared, Work& work)
      : fabric_(fabric),
        half_(fabric.rules().duplex == Duplex::half),
        single_(fabric.rules().ports == Ports::single),
        lanes_(shared ? 0 : fabric.lanes(), 0.0, &work),
        servers_(shared ? fabric.channels() : 0, 0.0, &work),
        sent_(fabric.processors(), 0.0, &work),
        received_(fabric.processors(), 0.0, &work),
        sends_(single_ ? fabric.processors() : 0, 0.0, &work),
        receives_(single_ && !half_ ? fabric.processors() : 0, 0.0, &work) {}

  double lanes_free_for(const Message& message) {
    double time = 0;
    for (const Message::Hop& hop : message.hops) time = std::max(time, lane(hop));
    return time;
  }
  double ports_free_for(const Message& message) {
    double time = 0;
    each_port(message, [&](double& port) { time = std::max(time, port); });
    return time;
  }

  // Reserves them for the message until this time.
  void keep_lanes(const Message& message, double until) {
    for (const Message::Hop& hop : message.hops) lane(hop) = until;
  }
  void keep_ports(const Message& message, double until) {
    each_port(message, [&](double& port) { port = until; });
  }

  // Takes a processor's time for each message that it sends, and for each that it receives, one after another. Returns
  // when all the message's processors have done so, from `ready` on.
  double prepare(const Message& message, double ready, double overhead) {
    double done = ready;
    const auto take = [&](double& free) { done = std::max(done, free = std::max(free, ready) + overhead); };
    for (const Message::End& from : message.from) {
      if (fabric_.is_processor(from.node)) take(sent_[from.node.value]);
    }
    for (const Message::End& to : message.to) {
      if (fabric_.is_processor(to.node)) take(received_[to.node.value]);
    }
    return done;
  }

  // Lets a packet cross the channel on shared paths, over all its lanes at once, at `ready` at the earliest and after
  // those before it. In half duplex a link's channels serve one packet at a time. Returns when it begins.
  double cross(ChannelId channel, double ready, double takes) {
    double& server = servers_[(half_ ? fabric_.link(channel) : channel).value];
    const double begin = std::max(ready, server);
    server = begin + takes;
    return begin;
  }

 private:
  // In half duplex, the lanes of a link serve both directions, whichever lane is free first.
  double& lane(const Message::Hop& hop) {
    if (!half_) return lanes_[fabric_.lane_number(hop.channel, hop.lane)];
    return first_free(fabric_.link(hop.channel));
  }

  double& first_free(ChannelId channel) {
    const auto first = lanes_.begin() + static_cast<std::ptrdiff_t>(fabric_.lane_number(channel, LaneId(0)));
    return *std::min_element(first, first + static_cast<std::ptrdiff_t>(fabric_.channel(channel).capacity));
  }

  template <class Visit>
  void each_port(const Message& message, const Visit& visit) {
    if (!single_) return;
    for (const Message::End& from : message.from) {
      if (fabric_.is_processor(from.node)) visit(sends_[from.node.value]);
    }
    auto& receives = half_ ? sends_ : receives_;
    for (const Message::End& to : message.to) {
      if (fabric_.is_processor(to.node)) visit(receives[to.node.value]);
    }
  }

  const Fabric& fabric_;
  bool half_;
  bool single_;
  std::pmr::vector<double> lanes_;
  std::pmr::vector<double> servers_;  // by channel, or by link
  std::pmr::vector<double> sent_;     // by processor: when its next message can be prepared
  std::pmr::vector<double> received_;
  std::pmr::vector<double> sends_;  // in half duplex the processor's one port
  std::pmr::vector<double> receives_;
};

}  // namespace quadrille::replaying
