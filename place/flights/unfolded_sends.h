// unfolded_sends reads a table whose switches add up what passes them as sends from one processor to another.
#pragma once

#include "model/fabric.h"
#include "model/limits/limits.h"
#include "model/send_table.h"
#include "place/flights/flights.h"

namespace quadrille {

struct UnfoldedSends {
  Fabric fabric;    // over whose channels the flights go; its switches forward, and it counts steps
  Flights flights;  // in order of departure
};

// Each partial reduction that leaves a processor is a flight of its own to each processor that it reaches, in whatever
// sum: it leaves and arrives in the steps in which it did. In rounds it takes one step, the round. What comes back to
// the processor that it left is left out. Requires a combining collective, and that rows say nothing of partial
// reductions. Throws EvaluationError: where a switch sends what it does not have; where a message begins or ends at a
// switch; at a limit. Cost: the flights, with their hops.
UnfoldedSends unfolded_sends(const SendTable& table, const Limits& limits);

}  // namespace quadrille
