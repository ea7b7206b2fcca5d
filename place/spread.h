// Spreading gives sends in steps other routes, of the same length and at the same times, so that channels carry less.
// (Messages in rounds: rounds/spread_rounds.h.)
//
// A send may take another route if nothing says which of several shortest routes it takes (no route in the schedule, no
// wait, no rule of the fabric's own), it is to one processor, and no processor needs the copy that it leaves on its
// way. All other sends are counted first. Then each of these, in the order of the table, takes the route of least load
// (calendar/least_route.h) of the whole table, one without a channel whose lanes are all taken in that step before
// others. A channel's load in one step is what its lanes allow, so what there is to spread is that of the whole table.
#pragma once

#include <optional>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "place/flights/flights.h"
#include "place/held/send_reductions.h"

namespace quadrille {

// The flights, which have all their hops, by other routes; nothing if no channel's greatest load is less then, if lanes
// or ports do not do for them, or if contributions would come to something else. Where packets join
// in switches nothing is spread. Throws EvaluationError at a limit. `words`: what sends say of partial reductions;
// null: nothing.
std::optional<Flights> spread(const Flights& flights, const Fabric& fabric, const Collective& collective,
                              const Limits& limits, ReductionsOfSends* words);

}  // namespace quadrille
