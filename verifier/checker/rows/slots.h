// Slots: lanes, channels and ports: well formed, contention-free, capacity compliant.
//
// The common case costs one stamp a row: where every lane is below its channel's capacity and no lane is used twice, no
// channel carries more than its capacity, since it has no more lanes. Only the steps in which that fails are looked at
// again, exactly, with the rows sorted by channel and lane. Duplex and port rules are counted only where they apply.
#pragma once

#include <cstdint>
#include <vector>

#include "model/send_table.h"
#include "verifier/checker/rows/budget.h"
#include "verifier/checker/rows/findings.h"

namespace quadrille::checker {

class Slots {
 public:
  // Four bytes a lane, unless there are so many that every step is sorted instead. May throw OverBudget.
  Slots(const SendTable& table, Findings& findings, Budget& budget, const Limits& limits);

  // May throw OverBudget or Ended; then it is of no further use.
  void step(const StepRows& batch);

  std::uint64_t messages() const { return messages_; }  // rows that leave a processor

 private:
  // Rows first … last-1 of `order_`: those of one channel, or of one lane.
  struct Run {
    std::size_t first;
    std::size_t last;
  };

  struct ChannelLanes {
    std::uint32_t first_lane;
    std::uint32_t capacity;
    std::uint32_t of_processor;  // 1 if the channel leaves a processor, else 0
    std::uint32_t unused;        // sixteen bytes are found by a shift
  };

  ChannelLanes lanes_of(ChannelId id) const;
  bool all_lanes_differ(const StepRows& batch);
  template <class LanesOf>
  bool all_lanes_differ(const StepRows& batch, const LanesOf& lanes_of);
  void judge_exactly(const StepRows& batch);
  void judge_lane(const StepRows& batch, Run run);
  void judge_channel(const StepRows& batch, Run run);
  std::vector<ChunkId> chunks_of(const StepRows& batch, Run run) const;

  const SendTable& table_;
  Findings& findings_;
  const Limits& limits_;
  Share share_;
  std::uint64_t messages_ = 0;

  ChannelList channels_;
  bool stamped_;                       // else every step is sorted
  std::vector<ChannelLanes> places_;   // by channel; empty if the fabric does not list its channels
  std::vector<std::uint32_t> stamps_;  // by lane: the last step that used it
  std::vector<std::uint32_t> order_;   // row indices by channel, lane, index
};

}  // namespace quadrille::checker
