// Retiming for packets that wait in queues where they are written: they queue on the target, too.
#pragma once

#include <optional>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "place/flights/flights.h"
#include "place/steps/placer.h"

namespace quadrille {

// Whether the flights, written for that fabric, may queue elsewhere: some packet waits where it is written to, so that
// switches have queues; and every send is of a chunk with which its sender starts, so that none waits for another's
// arrival. Requires a copying collective.
bool may_queue(const Flights& flights, const Fabric& written_for, const Collective& collective);

// Returns the flights as they take their routes through queues, first come, first served, or farthest first; the one
// that takes fewer steps. `placed`: over `target`, without waits, each processor's sends in order of departure. Returns
// nothing if that takes no fewer steps than `placed`; if the target limits its queues; if the sends of a processor
// would leave in another order; or if the hops do not fit into the memory. Throws EvaluationError at another limit.
std::optional<RetimedFlights> retimed_queued(const RetimedFlights& placed, const Fabric& target, const Limits& limits);

}  // namespace quadrille
