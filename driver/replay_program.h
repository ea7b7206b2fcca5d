// `quadrille replay` of MSCCL XML: its operations as messages over a fabric, each as soon as it can begin.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "driver/inputs/costs.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "model/text/result.h"

namespace quadrille::driver {

struct ReplayProgramRequest {
  std::string file = {};                  // a path
  std::string on = {};                    // a fabric's notation
  std::vector<std::string> without = {};  // links to be removed from it
  std::vector<std::string> sizes = {};    // of the call's whole message: "64KiB", or several with commas; at least one
  std::string costs = {};                 // parse_costs
};

// A channel for which messages have waited.
struct Contention {
  ChannelId channel;
  std::uint64_t messages = 0;  // that crossed it
  double busy = 0;             // seconds
  double waited = 0;           // seconds, of all messages together, until their turn came
};

struct ProgramTime {
  std::uint64_t size = 0;
  double seconds = 0;                      // until the last operation has ended
  std::vector<Contention> contended = {};  // the channels for which messages waited longest, at most five
};

struct ReplayProgramOutcome {
  std::string name;  // the program's own
  std::string on;    // the fabric, in the form of the request
  Fabric fabric;
  std::uint64_t messages = 0;
  std::uint64_t chunks = 0;  // in them
  Costs costs;
  std::vector<ProgramTime> times;  // by size
  Reason cut = Reason::none;       // why sizes may be missing
};

// Replays a program in its first kind of call. A message is what one operation sends; it goes by the default route, and
// takes the time of a message in rounds on shared paths (model/MODEL.md, Time). A thread block does one operation at a
// time: one that sends ends when its message has arrived, one that receives when what it waits for is there; a
// connection holds as many messages as come. What is local takes no time. Errors: a request or a file that is wrong; a
// program that never ends; a fabric with another number of processors, or without a route.
Result<ReplayProgramOutcome> run(const ReplayProgramRequest& request, Context& context);

}  // namespace quadrille::driver
