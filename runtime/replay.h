// The simulator moves packets through queues and lanes as a table says, and measures the traffic and the queues.
//
// For: the simulator: tables replayed, their times (`times/`), routing without a schedule (`router/`).
// Face: this header; times: runtime/times/lock_step.h (step after step) and runtime/times/timed_replay.h (each as soon
// as it can); runtime/router/router.h.
// Keeps: it shares no verdict with the checker; both are compared on thousands of random tables.
// Read first: runtime/replay.cpp, runtime/ROUTER.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/limits/limits.h"
#include "model/send_table.h"
#include "model/terms/fraction.h"
#include "model/verdict.h"

namespace quadrille {

// The traffic of the channels of one level in one direction. On trees, up is towards the root; elsewhere every channel
// is up, at level 0.
struct LevelUse {
  std::uint32_t level = 0;
  bool down = false;
  std::uint64_t lanes = 0;               // of all those channels
  std::uint64_t rows = 0;                // crossings in all steps
  std::uint64_t busiest = 0;             // most crossings in one step
  std::vector<std::uint64_t> over_time;  // crossings in each of Measurements::buckets spans of steps
};

// The traffic of one channel.
struct LinkUse {
  ChannelId channel;
  std::uint64_t lanes = 0;
  std::uint64_t rows = 0;  // crossings in all steps
};

// A row that the simulator could not carry out as the table says. Absent fields do not apply. The message can be read
// without the other fields.
struct Fault {
  StepId step;
  std::optional<ChannelId> channel;
  std::optional<ChunkId> chunk;
  std::string message;  // "packet 0->2 is not at 1.0 when step 3 begins"
};

struct Measurements {
  Verdict verdict = Verdict::holds;  // violated: a fault; equal to the checker's verdict, apart from claims and limits
  std::uint64_t steps = 0;
  std::uint64_t messages = 0;  // rows that leave a processor; in rounds messages that do
  std::uint64_t rows = 0;
  std::optional<std::uint64_t> volume;  // in rounds only (model/MODEL.md, Rounds); so with hops
  std::optional<Fraction> load;         // likewise, on shared paths; nothing if it needs numbers of more than 64 bits
  std::optional<std::uint64_t> hops;
  std::uint64_t delivered = 0;                        // demands of the collective met
  std::uint64_t demanded = 0;                         // demands in all
  std::uint64_t max_queue = 0;                        // most packets buffered by one switch
  std::uint64_t max_channel_queue = 0;                // most packets waiting for one channel
  std::vector<std::uint64_t> queue_by_level;          // index = switch level
  std::vector<std::uint64_t> channel_queue_by_level;  // index = switch level
  std::vector<LevelUse> use;
  std::vector<LinkUse> busiest_links;  // off trees: those with the most rows a lane, at most five, the most first
  std::uint32_t steps_per_bucket = 1;
  std::vector<Fault> faults;  // the first ten
  std::uint64_t fault_count = 0;
  Reason reason = Reason::none;  // for unknown
  std::string why;               // likewise, in words
};

struct ReplayOptions {
  std::uint32_t buckets = 60;  // the most spans of time in over_time
  Limits limits = {};
};

// Moves every packet as the table says and measures the traffic, by the rules of model/MODEL.md. Shares no code with
// the checker. A row whose packet is not at the node that it leaves is a fault, but the row is carried out all the
// same. The verdict is unknown if the limits end the replay, or if the table's rows end before the table does; the
// faults until then are listed. Cost: time linear in the rows (some tens of millions a second). Memory: the fabric's
// lanes, one bit per demand and the packets in flight, if no chunk has two targets and no packet is copied; else all
// (packet, node) pairs seen.
Measurements replay(const SendTable& table, const ReplayOptions& options = {});

}  // namespace quadrille
