// What the driver's functions work with.
//
//   RealEnvironment environment;
//   Context context{environment, make_limits({.seconds = 60}, environment)};
//   const Result<CheckOutcome> outcome = run(CheckRequest{{"exchange.qd", {"L=4"}}}, context);
//   if (!outcome) …render(outcome.diagnostics(), context.sources)…
#pragma once

#include <cstdint>
#include <string_view>

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
  std::uint64_t memory_floor = memory_floor_now();  // of the whole work, in bytes
};

// The limits for what comes next: of the memory, what the process has not taken since the work began, and as their
// floor what it has now. A table that is held in memory leaves less to its judges.
Limits remaining(const Context& context);

// Tells who asked for the progress what comes next.
void tell_stage(const Context& context, std::string_view stage);

// The limits of a whole command, as a person gives them.
struct LimitRequest {
  double seconds = 0;  // 0: no limit
  double gib = 8;      // of memory
};

// Its time begins now; it ends early at the environment's interrupt.
Limits make_limits(const LimitRequest& request, Environment& environment);

}  // namespace quadrille::driver
