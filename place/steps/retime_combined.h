// Retiming for combining collectives: each flight is placed as early as it can carry what it carried.
#pragma once

#include <optional>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "place/flights/flights.h"
#include "place/held/send_reductions.h"
#include "place/steps/retime_outcome.h"

namespace quadrille {

// As retime.h says, with the relays that are written. Nothing if no attempt comes to the same. Requires a combining
// collective.
std::optional<RetimedFlights> retimed_combined(const Flights& flights, const Fabric& written_for,
                                               const Collective& collective, const Fabric& target, const Limits& limits,
                                               ReductionsOfSends* words);

}  // namespace quadrille
