// Runs a table in time: every message begins as soon as its packets and the resources that it uses are available.
#pragma once

#include <cstdint>
#include <vector>

#include "model/limits/limits.h"
#include "model/send_table.h"
#include "runtime/times/channel_times.h"

namespace quadrille {

// The use of the channels of one level, in one direction (levels as in replay.h).
struct TimedUse {
  std::uint32_t level = 0;
  bool down = false;
  std::uint64_t lanes = 0;
  double busy = 0;                // in seconds, of all its lanes together
  std::vector<double> over_time;  // the same in each of TimedReplay's spans, which are equally long
};

struct TimedReplay {
  double seconds = 0;            // until the last message has arrived
  std::vector<TimedUse> use;     // by level, up before down
  Reason reason = Reason::none;  // the limit because of which there is no answer
};

struct TimedReplayOptions {
  TransferCosts costs;
  double bytes_per_chunk = 1;
  std::uint32_t spans = 40;  // of over_time
  Limits limits = {};
};

// The replay by model/MODEL.md, Time. Requires a table that keeps all rules (check() holds). No message is later than
// in lock step, where a step takes as long as its longest message. Cost: two passes over the rows; memory for the lanes
// and the packets under way; for chunks that several want, for all (chunk, node) pairs.
TimedReplay replay_in_time(const SendTable& table, const TimedReplayOptions& options);

}  // namespace quadrille
