// `quadrille replay`: a table, opened and simulated.
#pragma once

#include <string>

#include "driver/context.h"
#include "driver/input.h"
#include "model/result.h"
#include "model/send_table.h"
#include "runtime/replay.h"
#include "verifier/bounds.h"

namespace quadrille::driver {

struct ReplayRequest {
  TableRequest input = {};
};

struct ReplayOutcome {
  SendTable table;
  std::string on;  // the fabric, as it was asked for; empty: the schedule's own
  Measurements measured;
  Bound bound;                // the best one to compare the table's steps with
  Diagnostics warnings = {};  // the compiler's
};

Result<ReplayOutcome> run(const ReplayRequest& request, Context& context);

}  // namespace quadrille::driver
