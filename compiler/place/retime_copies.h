// Flights of a copying collective, each placed as early as it can be.
#pragma once

#include "compiler/place/retime_outcome.h"
#include "compiler/plan/flights.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"

namespace quadrille {

// As retime.h says. Requires a copying collective.
RetimedFlights retimed_copies(Flights flights, const Fabric& written_for, const Collective& collective,
                              const Fabric& target, const Limits& limits);

}  // namespace quadrille
