// Retiming for copying collectives: each flight is placed as early as possible.
#pragma once

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "place/flights/flights.h"
#include "place/steps/retime_outcome.h"

namespace quadrille {

// As retime.h says. Requires a copying collective.
RetimedFlights retimed_copies(Flights flights, const Fabric& written_for, const Collective& collective,
                              const Fabric& target, const Limits& limits);

}  // namespace quadrille
