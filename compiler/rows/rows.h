// A plan's rows, made step by step as they are read.
#pragma once

#include <memory>

#include "compiler/plan/plan.h"
#include "compiler/rows/evaluated_cursor.h"
#include "model/send_table.h"

namespace quadrille {

// Of the rows of a step, those of sends that go their default route without waiting come first: by the step in which
// they started, then in the order of the sends. Those of all others (reversed, waiting, under a discipline) follow, in
// the order of the sends. The packets that cross a channel take its lanes in that order. Takes over
// the plan's flights. Memory: the rows in flight, and 8 bytes for each hop of those flights.
std::shared_ptr<const PlannedRows> plan_rows(std::shared_ptr<Plan> plan);

}  // namespace quadrille
