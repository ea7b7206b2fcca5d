// A schedule in rounds as sends in steps, of one packet each, from its processor to its target at once.
#pragma once

#include "compiler/flights.h"
#include "compiler/plan.h"
#include "model/fabric.h"

namespace quadrille {

// Sends on a complete graph: each takes one step, the round of its message.
struct Unicasts {
  Fabric fabric;
  Flights flights;
};

// Throws EvaluationError.
Unicasts unicasts_of(const Plan& plan);

}  // namespace quadrille
