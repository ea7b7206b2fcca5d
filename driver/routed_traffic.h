// `quadrille replay --pattern`: routes messages on line, by the router of the Connection Machine, and compares this
// with the compiler's schedule, which knows all messages beforehand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "model/fabric.h"
#include "model/text/result.h"
#include "runtime/router/router.h"

namespace quadrille::driver {

// Schedules the same messages off line, by retiming (place/retime.h), which knows all of them before the first step.

// The steps of tables that keep every rule, with each packet as early as lanes allow (--retime), one hop a step.
// Where processors are attached to switches, the hops into the first router and out of the last one count, too.
struct OffLine {
  std::optional<std::uint64_t> on_default_routes = {};
  std::optional<std::uint64_t> on_paths_taken = {};  // the on-line paths, without the circles that referrals made
  std::string why = {};                              // the reason why one or both are missing
};

// Whether so many messages and hops are scheduled: 4096 and 2^18; if that was asked for, 2^20 and 2^23.
bool may_be_scheduled(std::uint64_t messages, std::uint64_t hops, bool asked_for);
// `events`: the history of each message on line.
OffLine scheduled_off_line(const Fabric& fabric, const std::vector<RoutedMessage>& messages,
                           const std::vector<RouterEvent>& events, Context& context);

struct TrafficRequest {
  std::string pattern = {};  // runtime/router/traffic.h, or a file of messages
  std::string on = {};       // a fabric's notation
  std::vector<std::string> without = {};
  std::string policy = "useful_dimension";
  RouterOptions router = {};  // the limits are the context's
  std::uint32_t seeds = 1;    // router.seed and those after it
  bool off_line = false;      // schedule off line as many as possible, which may take a minute, and not only few
};

struct TrafficOutcome {
  struct Run {
    std::uint64_t seed = 0;
    RouterRun measured;
  };
  Fabric fabric;
  std::string on;  // in the form of the request
  std::string pattern;
  std::string policy;
  RouterOptions router;
  std::vector<Run> runs = {};  // by seed; if a run was ended early, it is the last one
  Delays delays = {};          // of all runs
  Delays delays_inside = {};
  OffLine off_line = {};      // for the first seed's messages
  Diagnostics failures = {};  // a picture that could not be written; the answer is still valid
  Reason cut = Reason::none;  // the reason why runs, or the compiler's schedule, may be missing

  Reason reason() const { return runs.back().measured.reason == Reason::none ? cut : runs.back().measured.reason; }
};

Result<TrafficOutcome> run(const TrafficRequest& request, Context& context);

// The least delay that a share of the messages, 0 < share <= 1, does not exceed. Requires at least one message.
std::uint32_t quantile(const Delays& delays, double share);
double mean(const Delays& delays);
// The number of messages by delay, in at most `most_spans` spans of equal length; the first one begins with delay 1.
struct Histogram {
  std::uint32_t span = 1;  // cycles
  std::vector<std::uint64_t> messages = {};
};
Histogram histogram(const Delays& delays, std::uint32_t most_spans);

}  // namespace quadrille::driver
