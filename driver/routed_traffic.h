// `quadrille replay --pattern`: messages routed on line, by the router of the Connection Machine, and beside that what
// the compiler makes of them when it knows all of them beforehand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "driver/off_line.h"
#include "model/fabric.h"
#include "model/text/result.h"
#include "runtime/router/router.h"

namespace quadrille::driver {

struct TrafficRequest {
  std::string pattern = {};  // runtime/router/traffic.h, or a file of messages
  std::string on = {};       // a fabric's notation
  std::vector<std::string> without = {};
  std::string policy = "useful_dimension";
  RouterOptions router = {};  // the limits are the context's
  std::uint32_t seeds = 1;    // router.seed and those after it
};

struct TrafficOutcome {
  struct Run {
    std::uint64_t seed = 0;
    RouterRun measured;
  };
  Fabric fabric;
  std::string on;  // as it was asked for
  std::string pattern;
  std::string policy;
  RouterOptions router;
  std::vector<Run> runs = {};  // by seed; the last one may have been ended early, then there are no more
  Delays delays = {};          // of all runs
  Delays delays_inside = {};
  OffLine off_line = {};      // of the first seed's messages
  Diagnostics failures = {};  // a picture that could not be written; the answer stands all the same
  Reason cut = Reason::none;  // why runs, or what the compiler makes of them, may be missing

  Reason reason() const { return runs.back().measured.reason == Reason::none ? cut : runs.back().measured.reason; }
};

Result<TrafficOutcome> run(const TrafficRequest& request, Context& context);

// The least delay that a share of the messages, 0 < share <= 1, does not exceed. Requires that there are messages.
std::uint32_t quantile(const Delays& delays, double share);
double mean(const Delays& delays);
// Messages by delay, in at most so many spans of equal length, the first of which begins with delay 1.
struct Histogram {
  std::uint32_t span = 1;  // cycles
  std::vector<std::uint64_t> messages = {};
};
Histogram histogram(const Delays& delays, std::uint32_t most_spans);

}  // namespace quadrille::driver
