// plan_rows makes a plan's rows, step by step, as they are read.
#pragma once

#include <memory>

#include "compiler/plan/plan.h"
#include "compiler/rows/evaluated_cursor.h"
#include "model/send_table.h"

namespace quadrille {

// Returns the rows of the plan, and takes over its flights. Within a step, the rows of sends on default routes without
// waits come first: by the step in which they started, then in the order of the sends. The rows of all others
// (reversed, waiting, under a discipline) follow, in the order of the sends. The packets that cross a channel take its
// lanes in that order. Memory: the rows in flight, and 8 bytes for each hop of those flights.
std::shared_ptr<const PlannedRows> plan_rows(std::shared_ptr<Plan> plan);

}  // namespace quadrille
