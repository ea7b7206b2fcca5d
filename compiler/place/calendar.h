// Calendar: which lanes and ports of a fabric are taken, step by step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compiler/place/free_steps.h"
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

  // Bit i: whether one more packet can cross the channel in step + i.
  std::uint64_t free_from(ChannelId id, std::uint32_t step) const;

  // Whether one more packet can cross the channel in that step.
  bool free(ChannelId id, std::uint32_t step) const { return (free_from(id, step) & 1U) != 0; }
  // Whether every hop can, the packet leaving in step `start`. Hops are looked at one by one: two of the same route
  // that want one lane or port in the same step go unnoticed (TransferRoutes makes no such routes).
  bool free(std::span<const TimedChannel> route, std::uint32_t start) const;

  // The first step from `first` on in which the whole route is free.
  std::uint32_t first_free(std::span<const TimedChannel> route, std::uint32_t first) const;

  void book(ChannelId id, std::uint32_t step);
  void book(std::span<const TimedChannel> route, std::uint32_t start);

  // No step before that one is asked for or booked from now on.
  void forget_before(std::uint32_t step);

 private:
  bool half() const { return fabric_.rules().duplex == Duplex::half; }
  bool ports() const { return fabric_.rules().ports == Ports::single; }
  std::uint32_t first_free(ChannelId id, std::uint32_t first) const;
  template <class Self, class Visit>
  static void for_all_that(Self& self, ChannelId id, const Visit& visit);

  const Fabric& fabric_;
  std::vector<FreeSteps> channels_;
  std::vector<FreeSteps> links_;     // half duplex: by the channel that stands for the link (others stay empty)
  std::vector<FreeSteps> sends_;     // by processor; single ports only; half duplex: its receptions, too
  std::vector<FreeSteps> receives_;  // by processor; single ports and full duplex only
};

}  // namespace quadrille
