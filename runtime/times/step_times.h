// Computes how long the steps of a table last in lock step, and when in its step each row crosses its channel.
#pragma once

#include <memory_resource>
#include <span>
#include <vector>

#include "model/limits/work.h"
#include "model/send_table.h"
#include "motion/step_messages.h"
#include "runtime/times/channel_times.h"

namespace quadrille::replaying {

// The time when a row is on its lane, in seconds since its step or round began.
struct RowTime {
  double begin = 0;
  double end = 0;
  LaneId lane;  // the row's; on shared paths, where a row goes over all lanes at once, the one that it is drawn on
};

class StepTimes {
 public:
  // Keeps references to all arguments.
  StepTimes(const SendTable& table, const ChannelTimes& times, Work& work);

  // The seconds of a step or round without rows. An empty round takes a start; an empty step takes as long as a step
  // over usual channels.
  double empty() const { return times_.start() + (rounds_ ? 0 : times_.usual_hop() + times_.usual_chunk()); }

  // The seconds of a step or round with these rows. Throws Ended.
  double length(const StepRows& batch);

  // The times of each row of the batch that was last given to length(), whose rows must still exist. A message's
  // first packet is on its way from the beginning, start and hops included, and each of the others follows the one
  // before it.
  std::span<const RowTime> rows(const StepRows& batch);

 private:
  double busiest(const StepRows& batch) const;
  double overheads() const;
  ChannelId server(ChannelId channel) const;  // its link in half duplex
  void time_messages();
  void time_turns(const StepRows& batch);

  const SendTable& table_;
  const ChannelTimes& times_;
  StepMessages messages_;
  bool rounds_;
  bool shared_;
  std::span<const Message> read_;  // of the last batch
  double overheads_ = 0;           // likewise, in seconds: before any message starts
  double longest_path_ = 0;        // likewise
  std::pmr::vector<RowTime> rows_;
};

}  // namespace quadrille::replaying
