// A table run in time: every message begins as soon as what it brings and what it uses are there.
#pragma once

#include <cstdint>
#include <vector>

#include "model/limits/limits.h"
#include "model/send_table.h"
#include "runtime/times/channel_times.h"

namespace quadrille {

// How busy the channels of one level, one direction are (levels as in replay.h).
struct TimedUse {
  std::uint32_t level = 0;
  bool down = false;
  std::uint64_t lanes = 0;
  double busy = 0;                // seconds, of all its lanes together
  std::vector<double> over_time;  // the same in each of TimedReplay's spans, which are equally long
};

struct TimedReplay {
  double seconds = 0;            // when the last message has arrived
  std::vector<TimedUse> use;     // by level, up before down
  Reason reason = Reason::none;  // why there is no answer: limits
};

struct TimedReplayOptions {
  TransferCosts costs;
  double bytes_per_chunk = 1;
  std::uint32_t spans = 40;  // of over_time
  Limits limits = {};
};

// By model/MODEL.md, Time. Requires a table that keeps all rules (check() holds). Never later than in lock step, where
// a step takes as long as its longest message. Cost: two passes over the rows; memory for the lanes, and for all
// (packet, node) pairs.
TimedReplay replay_in_time(const SendTable& table, const TimedReplayOptions& options);

}  // namespace quadrille
