// Reversal turns a schedule back to front in time: a broadcast becomes a reduction, a scatter a gather.
#pragma once

#include "model/collective.h"
#include "model/text/source.h"
#include "place/flights/flights.h"

namespace quadrille {

// Returns the collective whose schedules, reversed in time, are schedules of this one. Throws EvaluationError where
// there is none.
Collective dual(const Collective& collective, Span span);

// Turns a schedule of `from` into one of its dual `to`. Every hop is reversed, step t becomes T + 1 - t, and every
// packet gets the name that `to` has for it. (The dual of an all-reduce is an all-reduce.) If a copying schedule has a
// dual that combines, only those sends are kept that bring a processor a chunk for the first time. Throws
// EvaluationError where a packet has no counterpart in `to`, or crosses a link of one direction only.
Flights reversed(const Flights& flights, const Fabric& fabric, const Collective& from, const Collective& to, Span span);

}  // namespace quadrille
