// For example, `at 1: send 0 -> 1`, `at 2: send 1 -> 2` around a switch: the copy is at 1 after step 2, too late.
#include "place/steps/copies_held.h"

namespace quadrille {

bool copies_come_in_time(const Flights& flights, const Fabric& fabric, const Collective& collective) {
  CopiesHeld held(fabric.processors(), flights.list.size());
  for (const Flight& flight : flights.list) held.note_send(flight.chunk);
  FlightHops all(flights, fabric);
  for (const Flight& flight : flights.list) {
    const auto hops = all.of(flight);
    if (hops.empty()) continue;
    const NodeId source = fabric.channel(hops.front().channel).from;
    const bool starts = collective.starts_at(flight.chunk, source);
    if (!starts && held.bounds(flight.chunk, source).first > hops.front().step) return false;
    for (const Hop& hop : hops) {
      const NodeId to = fabric.channel(hop.channel).to;
      if (fabric.is_processor(to)) held.arrive(flight.chunk, to, hop.step);
    }
  }
  return true;
}

}  // namespace quadrille
