// The order of rows that join in switches: which rows must not precede which others, so that each carries what it
// carried.
#pragma once

#include "place/held/joined_rows.h"
#include "place/needs/event_order.h"

namespace quadrille {

// The rows are the first events, by their numbers; the others hold them in order. `rows`: those of `flights`, without
// faults.
EventOrder order_of(const JoinedRows& rows, const Flights& flights, const Fabric& fabric, const Collective& collective);

}  // namespace quadrille
