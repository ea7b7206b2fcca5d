// `quadrille replay`: opens a table and simulates it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "driver/inputs/costs.h"
#include "driver/inputs/input.h"
#include "driver/look/worst_link.h"
#include "model/send_table.h"
#include "model/text/result.h"
#include "runtime/replay.h"
#include "runtime/shown_buffers.h"
#include "runtime/times/timed_replay.h"
#include "verifier/bounds.h"

namespace quadrille::driver {

// The time when a row or message begins: with all of its step or round; or as soon as its packets, lanes and ports
// are free.
enum class Sync : std::uint8_t { step, dependency };

struct ReplayRequest {
  TableRequest input = {};
  std::vector<std::string> sizes = {};  // of a message: "64KiB", or several with commas; the time is reported for each
  std::string costs = {};               // parse_costs; needs sizes
  std::string sync = {};                // "step" (or empty) or "dependency"; needs sizes
  bool worst_link = false;              // find the link whose loss costs most
  std::string show = {};                // "buffers": show what processors hold after each step; empty: nothing more
  std::string size_of = {};             // message_sizes; needs sizes
};

struct ReplayOutcome {
  SendTable table;
  std::string on;  // the fabric, in the form of the request; empty: the schedule's own
  Measurements measured;
  Bound bound;                             // the best bound to compare the table's steps with
  std::optional<Bound> volume_bound = {};  // likewise with its volume; in rounds only
  Diagnostics warnings = {};               // from the compiler
  Costs costs = {};
  Sync sync = Sync::step;
  std::vector<std::uint64_t> sizes = {};  // of a message, in bytes
  std::vector<std::optional<double>> times =
      {};                                    // by size, in seconds; nothing where the table is not known to be right
  std::vector<TimedUse> use_in_time = {};    // for the first size, by dependency only
  std::optional<ShownBuffers> buffers = {};  // if they were wanted
  // If it was wanted. Its cost is the time of the first size, in seconds; without sizes, steps, or in rounds the
  // volume, on shared paths the load.
  std::optional<WorstLink> worst_link = {};
  Reason cut = Reason::none;  // the reason why bounds, times or buffers may be missing
};

Result<ReplayOutcome> run(const ReplayRequest& request, Context& context);

// Replays a table that has been opened; `request.input` is used only to name the fabric.
Result<ReplayOutcome> replayed(SendTable table, const ReplayRequest& request, Context& context);

}  // namespace quadrille::driver
