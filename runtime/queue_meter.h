// Counts the packets that wait in each switch, and for each of its channels.
#pragma once

#include <cstdint>
#include <vector>

#include "model/fabric.h"
#include "model/ids.h"
#include "motion/reductions.h"
#include "runtime/fault_log.h"

namespace quadrille::replaying {

// Finds the largest number of packets that ever waited at one place. Each wait becomes known only when it ends.
//
// A packet that leaves in step t has waited in steps first … t-1. Waits arrive in the order of t, so each adds one to
// a *suffix* of the steps seen so far. A step with no more waits than a later one can never have more again, so it is
// forgotten. The remaining steps have strictly decreasing numbers, which are kept as differences: adding to a suffix
// takes one from the difference before it. Example: waits 1…2, 2…3 leave (step 2: 2 waits, 3: 1); the wait 3…3 makes
// them equal: (3: 2). Cost: a binary search per wait; at most as many entries as the largest number.
class PeakMeter {
 public:
  // Adds a packet that has waited in steps first … last. Requires first <= last, and no smaller `last` than before.
  void add(std::uint32_t first, std::uint32_t last);

  std::uint64_t peak() const { return peak_; }
  std::uint32_t peak_step() const { return entries_.empty() ? 0 : entries_.front().step; }  // a step with so many waits

 private:
  struct Entry {
    std::uint32_t step;
    std::uint32_t excess;  // waits in this step minus those in the next entry's
  };
  std::vector<Entry> entries_;  // by step; every excess is positive
  std::uint64_t peak_ = 0;      // the sum of all
};

class QueueMeter {
 public:
  // Requires that both arguments live as long.
  QueueMeter(const Fabric& fabric, FaultLog& faults);

  // Notes that the packet of `stay` leaves a switch by `channel` in this step (and may leave again, as a copy).
  // Updates the stay.
  void leave(SwitchStay& stay, ChannelId channel, StepId step) {
    if (stay.arrived + 1 < step.value) add_wait(stay, channel, step);
    stay.left = step.value;
  }

  // The largest numbers; the index is the switch level.
  std::vector<std::uint64_t> by_level() const;
  std::vector<std::uint64_t> at_channel_by_level() const;

  static std::uint64_t bytes_needed(const Fabric& fabric);

 private:
  void add_wait(const SwitchStay& stay, ChannelId channel, StepId step);
  void judge(NodeId node, const PeakMeter& meter, std::uint64_t before);

  const Fabric* fabric_;
  FaultLog* faults_;
  std::vector<PeakMeter> switches_;  // by node - processors
  std::vector<PeakMeter> channels_;
};

}  // namespace quadrille::replaying
