// Partial reductions are worked out from nothing, before and after (partial_reductions.h), and compared processor by
// processor; so the comparison does not depend on how the flights were placed. Cost: hops, and the contribution sets
// that are held at the end.
#include "place/steps/retime_outcome.h"

#include <algorithm>
#include <span>
#include <utility>

#include "model/text/evaluation_error.h"
#include "place/calendar/least_route.h"

namespace quadrille {

bool better(const Flights& a, const Flights& b, const Fabric& fabric) {
  const auto cost = [&](const Flights& flights) {
    const FlightsExtent extent = extent_of(flights, fabric);
    return std::pair(extent.last_step, extent.waits);
  };
  return cost(a) < cost(b);
}

double greatest_load(const Flights& flights, const Fabric& fabric) {
  RouteLoads loads(fabric);
  FlightHops all(flights, fabric);
  for (const Flight& flight : flights.list) {
    for (const Hop& hop : all.of(flight)) loads.add(std::span(&hop.channel, 1), 1);
  }
  return loads.sum_of_greatest();
}

bool retimed_to_the_same(const Flights& flights, const PartialReductions& before, const Fabric& fabric,
                         const Collective& collective, const Limits& limits, ReductionsOfSends* words) {
  const PartialReductions now = partial_reductions(flights, fabric, collective, limits, words);
  if (now.ended != Reason::none) fail_at_limit(now.ended, "retiming the schedule");
  if (now.faults > 0 && before.faults == 0) return false;
  return same_held(now.held, before.held);
}

}  // namespace quadrille
