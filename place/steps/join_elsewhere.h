// Retiming for a fabric whose switches reduce: sends that arrive together join where their default routes meet.
#pragma once

#include <optional>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "place/flights/flights.h"
#include "place/held/send_reductions.h"
#include "place/steps/retime_outcome.h"

namespace quadrille {

// The flights, over `written_for`, by default routes of `target`, whose switches reduce: those that arrived together
// join where their routes meet, and all are retimed. Each carries out of its source what it carried, and all end with
// what they ended with. Nothing if that cannot be had so, or if the schedule names paths. Throws EvaluationError at a
// limit.
std::optional<RetimedFlights> joined_elsewhere(const Flights& flights, const Fabric& written_for,
                                               const Collective& collective, const Fabric& target, const Limits& limits,
                                               ReductionsOfSends* words);

}  // namespace quadrille
