// Calendar: which lanes and ports of a fabric are taken, step by step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/fabric.h"

namespace quadrille {

// A channel that a packet crosses, counted from the packet's first step (0).
struct TimedChannel {
  ChannelId channel;
  std::uint32_t offset = 0;
};

class Calendar {
 public:
  explicit Calendar(const Fabric& fabric);

  // Whether one more packet can cross the channel in that step. Constant time.
  bool free(ChannelId id, std::uint32_t step) const;
  // Whether every hop can, the packet leaving in step `start`. Hops are looked at one by one: two of the same route
  // that want one lane or port in the same step go unnoticed (TransferRoutes makes no such routes).
  bool free(std::span<const TimedChannel> route, std::uint32_t start) const;

  // The first step from `first` on in which the whole route is free.
  std::uint32_t first_free(std::span<const TimedChannel> route, std::uint32_t first) const;

  void book(ChannelId id, std::uint32_t step);
  void book(std::span<const TimedChannel> route, std::uint32_t start);

 private:
  using Counts = std::vector<std::uint32_t>;  // by step

  bool half() const { return fabric_.rules().duplex == Duplex::half; }
  bool ports() const { return fabric_.rules().ports == Ports::single; }
  bool port_free(NodeId node, const std::vector<Counts>& own, const std::vector<Counts>& other,
                 std::uint32_t step) const;

  const Fabric& fabric_;
  std::vector<Counts> channels_;
  std::vector<Counts> sends_;     // by processor; single ports only
  std::vector<Counts> receives_;  // likewise
};

}  // namespace quadrille
