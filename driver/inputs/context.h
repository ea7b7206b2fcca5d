// A Context is the surroundings in which the driver's functions work: the outside world, limits, sources and lists.
//
// For: what a command does, as a library: open, check, cross-check, search, prove, write evidence. One request in, one
// outcome out, no text.
// Face: `run(Request, Context&)` of each command; this header, driver/inputs/world.h.
// Keeps: nothing half-written stays behind; limits hold for the whole command.
// Read first: driver/inputs/input.h, driver/check/check.cpp.
//
//   RealEnvironment environment;
//   Context context{environment, make_limits({.seconds = 60}, environment)};
//   const Result<CheckOutcome> outcome = run(CheckRequest{{"exchange.qd", {"L=4"}}}, context);
//   if (!outcome) …render(outcome.diagnostics(), context.sources)…
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/files/environment.h"
#include "driver/inputs/world.h"
#include "model/limits/limits.h"
#include "model/limits/memory_use.h"
#include "model/text/source.h"

namespace quadrille::driver {

struct Context {
  Environment& environment;
  Limits limits = {};                      // for all that is done
  Sources sources = {};                    // every text that was read, for diagnostics and for places in outcomes
  const World* world = &standard_world();  // must live as long as the outcomes
  std::uint64_t memory_floor = memory_floor_now();     // of the whole work, in bytes
  std::function<void(std::string_view)> on_note = {};  // takes each of the notes at once
  std::vector<std::string> notes = {};                 // what has been said beside the outcome, each once (tell_note)
};

// Returns the limits for the next stage. Their memory is what the process has not yet taken since the work began, and
// their memory floor is what it has now: a table that is held in memory leaves less to its judges.
Limits remaining(const Context& context);

// Says something beside the outcome, before that is there; once, however often it is called.
void tell_note(const std::string& text, Context& context);
// Says what is to be said of a fabric (Graph::note).
void tell_note(const Fabric& fabric, Context& context);

// Allows complete graphs with more channels than a table by channel has room for: for commands that need no such table.
void allow_unlisted_channels(Context& context);

// Reports the next stage to the progress callback, if there is one.
void tell_stage(const Context& context, std::string_view stage);

// The limits of a whole command, as the user gives them.
struct LimitRequest {
  double seconds = 0;  // 0: no limit
  double gib = 8;      // of memory
};

// Makes limits whose time begins now. An interrupt of the environment ends the work early.
Limits make_limits(const LimitRequest& request, Environment& environment);

}  // namespace quadrille::driver
