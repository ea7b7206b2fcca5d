// Relays: a packet that processors hand on without joining it becomes one flight.
#pragma once

#include "model/collective.h"
#include "place/flights/flights.h"

namespace quadrille {

// The flights of a combining collective, where a flight to a processor that is not its packet's target, and the only
// one that goes on with the packet from there, are one flight, with a wait between. In order of departure, like those
// given. (On a line 0 - 1 - 2, `send 0 -> 2 carrying 0 -> 1` and `send 2 -> 1 carrying 0 -> 1` would be joined at 1 in
// passing, and then again; as one flight the packet goes to 1 only.)
Flights without_relays(const Flights& flights, const Collective& collective);

}  // namespace quadrille
