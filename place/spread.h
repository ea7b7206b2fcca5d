// Spreading gives sends other routes, of the same length and at the same times, so that channels carry less.
//
// A send may take another route if nothing says which of several shortest routes it takes (no route in the schedule, no
// wait, no rule of the fabric's own), it is to one processor, and no processor needs the copy that it leaves on its
// way. All other sends are counted first. Then each of these, in the order of the table, takes the route of least load
// (calendar/least_route.h): in rounds of that round, in steps of the whole table; before that, one without a channel
// whose lanes are all taken in that step, or round. In steps a channel's load in one step is what its lanes allow, so
// what there is to spread is that of the whole table.
#pragma once

#include <optional>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "place/flights/flights.h"
#include "place/held/send_reductions.h"
#include "place/rounds/message_list.h"
#include "place/rounds/written_rounds.h"

namespace quadrille {

// The flights, which have all their hops, by other routes; nothing if no channel's greatest load is less then, if lanes
// or ports do not do for them, or if contributions would come to something else. Where packets join
// in switches nothing is spread. Throws EvaluationError at a limit. `words`: what sends say of partial reductions;
// null: nothing.
std::optional<Flights> spread(const Flights& flights, const Fabric& fabric, const Collective& collective,
                              const Limits& limits, ReductionsOfSends* words);

// The same of messages; nothing if no load is less on shared paths, or if on held ones lanes do as written, or do not
// do either way. `words`: whether sends speak of partial reductions.
std::optional<MessageList> spread(const WrittenRounds& written, const Limits& limits, bool words);

}  // namespace quadrille
