// Schedules reversed in time: a broadcast becomes a reduction, a scatter a gather.
#pragma once

#include "compiler/plan/flights.h"
#include "model/collective.h"
#include "model/text/source.h"

namespace quadrille {

// The collective whose schedules, reversed in time, are schedules of this one. Throws EvaluationError where there is
// none.
Collective dual(const Collective& collective, Span span);

// A schedule of `from`, made to one of `to`, its dual: every hop turned round, step t becoming T + 1 - t, and every
// packet named as `to` names it. (The dual of an all-reduce is an all-reduce.) Of a copying schedule whose dual
// combines, only the sends are kept that inform a processor of a chunk for the first time. Throws EvaluationError where
// a packet has no counterpart in `to`, or crosses a link that goes one way only.
Flights reversed(const Flights& flights, const Fabric& fabric, const Collective& from, const Collective& to, Span span);

}  // namespace quadrille
