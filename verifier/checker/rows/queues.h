// Queues: how many packets each switch buffers, and how many wait for each channel, in every step.
//
// That a packet waited is known only when it leaves. Each wait is therefore recorded then, as +1 at its first step and
// -1 after its last, in pages of sixteen steps made where they are needed; the sums are taken at the end. A table in
// which nobody waits costs nothing; memory is at most 64 bytes for a wait's either end, and at most 4 bytes a step and
// place.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/containers/packet_table.h"
#include "model/send_table.h"
#include "verifier/check.h"
#include "verifier/checker/rows/budget.h"
#include "verifier/checker/rows/findings.h"

namespace quadrille::checker {

// For each place and step, the number of recorded intervals that contain the step.
class StepCounts {
 public:
  explicit StepCounts(Budget& budget) : share_(budget), pages_of_(budget) {}

  // Records that `place` has one more in the steps first … end-1. Requires first < end. May throw OverBudget.
  void add(std::uint32_t place, std::uint32_t first, std::uint32_t end) {
    ++cell(place, first);
    --cell(place, end);
  }

  // Calls visit(place, first, end, count) for the runs of steps first … end-1 with an equal, positive count, by place,
  // then by step.
  template <class Visit>
  void each_run(Visit visit);

 private:
  static constexpr std::uint32_t page_steps = 16;
  using Page = std::array<std::int32_t, page_steps>;
  struct PageNumber {
    std::uint32_t index_plus_1 = 0;  // in pages_
  };

  std::int32_t& cell(std::uint32_t place, std::uint32_t step);

  Share share_;
  PacketTable<PairKey, PageNumber> pages_of_;  // (step / page_steps, place)
  std::vector<Page> pages_;
};

class Queues {
 public:
  Queues(const SendTable& table, Budget& budget) : table_(table), held_(budget), waiting_(budget) {}

  // A packet is buffered by this switch in the steps first … end-1 (nothing if first >= end).
  void hold(NodeId at, std::uint32_t first, std::uint32_t end) {
    if (first < end) held_.add(at.value, first, end);
  }
  // A packet waits for this channel in the steps first … end-1.
  void wait(ChannelId channel, std::uint32_t first, std::uint32_t end) {
    if (first < end) waiting_.add(channel.value, first, end);
  }

  // The largest sizes; what is above the fabric's rule is added to the findings. Call once, at the end.
  QueueSizes finish(Findings& findings);

 private:
  void judge(Findings& findings, NodeId at, std::uint32_t first, std::uint32_t end, std::uint64_t held) const;

  const SendTable& table_;
  StepCounts held_;     // by switch
  StepCounts waiting_;  // by channel
};

}  // namespace quadrille::checker
