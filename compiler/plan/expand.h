// Expanding turns launches into flights, which have the step of every hop.
#pragma once

#include <cstdint>

#include "compiler/plan/plan.h"
#include "compiler/plan/region_runner.h"
#include "compiler/plan/round_messages.h"
#include "compiler/plan/send_routes.h"
#include "place/flights/flights.h"

namespace quadrille {

// These add a launch's sends to `flights`; in rounds, a flight for each message, receiver and packet, with all its hops
// in one round. They throw EvaluationError where the flights would need more than `memory` bytes. `all_hops`: the hops
// of default routes without waits are written down, too.
void expand(const Launch& launch, RegionRunner& runner, SendRoutes& routes, std::uint64_t memory, Flights& flights,
            bool all_hops = true);
void expand_round(const Launch& launch, RegionRunner& runner, RoundMessages& messages, std::uint64_t memory,
                  Flights& flights);

// Returns every launch of a plan in steps expanded, together with the plan's own flights, in order of their first step.
Flights all_flights(const Plan& plan, bool all_hops);

}  // namespace quadrille
