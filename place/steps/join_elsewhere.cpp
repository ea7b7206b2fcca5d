// Each written step becomes as many steps as the longest route has channels, and every send arrives in the last of
// those of its arrival. The routes to one processor form a tree. So the sends that arrived together reach each switch
// together, and leave it as one row in the next step. joined_rows.h works out the result; if it is that of the written
// schedule, the rows are retimed (retime_joined.h).
//
// For example, 1 … 7 send to 0 in one step of a complete graph; on a star that becomes seven rows in step 1 and one row
// in step 2. On a tree, sends with shorter routes leave later, and all meet on their routes. Cost: that of retiming
// rows that join, and the routes.
#include "place/steps/join_elsewhere.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "model/route.h"
#include "model/text/evaluation_error.h"
#include "place/steps/joined_rows.h"
#include "place/steps/retime_joined.h"

namespace quadrille {
namespace {

// The flights by default routes, in the order of their departures; `origins`: which flight each of them was.
struct Rerouted {
  Flights flights;
  std::vector<std::uint32_t> origins;
};

std::optional<Rerouted> rerouted(const Flights& flights, const Fabric& written_for, const Fabric& target) {
  const Router router(target);
  std::vector<std::vector<ChannelId>> routes;
  std::size_t longest = 1;
  for (const Flight& flight : flights.list) {
    const bool plain = !flight.named_path && flight.target != flight.source && flight.hops > 0 &&
                       written_for.is_processor(flight.source) && written_for.is_processor(flight.target);
    if (!plain || !router.append_route(flight.source, flight.target, routes.emplace_back())) return std::nullopt;
    longest = std::max(longest, routes.back().size());
  }
  if (flights.last_step() > max_step / longest) return std::nullopt;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order;  // departure, flight
  for (std::uint32_t f = 0; f < routes.size(); ++f) {
    const auto arrival = static_cast<std::uint32_t>(flights.of(flights.list[f]).back().step * longest);
    order.emplace_back(arrival - static_cast<std::uint32_t>(routes[f].size()) + 1, f);
  }
  std::sort(order.begin(), order.end());
  Rerouted result;
  for (const auto& [departure, f] : order) {
    Flight flight = flights.list[f];
    flight.first_hop = result.flights.hops.size();
    flight.hops = static_cast<std::uint32_t>(routes[f].size());
    for (std::uint32_t h = 0; h < flight.hops; ++h) result.flights.hops.push_back({routes[f][h], departure + h});
    result.flights.list.push_back(flight);
    result.origins.push_back(f);
  }
  return result;
}

bool come_to_the_same(const JoinedRows& now, const Rerouted& rerouted, const JoinedRows& before,
                      const Flights& flights) {
  if (before.faults > 0 || now.faults > 0) return false;
  for (std::size_t i = 0; i < rerouted.origins.size(); ++i) {
    const std::uint32_t first_now = now.of_hops[rerouted.flights.list[i].first_hop];
    const std::uint32_t first_before = before.of_hops[flights.list[rerouted.origins[i]].first_hop];
    if (now.rows[first_now].carried != before.rows[first_before].carried) return false;
  }
  return same_held(now.held, before.held);
}

}  // namespace

std::optional<RetimedFlights> joined_elsewhere(const Flights& flights, const Fabric& written_for,
                                               const Collective& collective, const Fabric& target, const Limits& limits,
                                               ReductionsOfSends* words) {
  const auto there = rerouted(flights, written_for, target);
  if (!there) return std::nullopt;
  try {
    const JoinedRows before = joined_rows(flights, written_for, collective, limits, words);
    const JoinedRows now = joined_rows(there->flights, target, collective, limits, words);
    if (!come_to_the_same(now, *there, before, flights)) return std::nullopt;
    RetimedFlights joined = retimed_joined(there->flights, target, collective, target, limits, words);
    joined.as = "sends that join where their routes meet";
    return joined;
  } catch (const EvaluationError& error) {
    const Code code = error.diagnostic.code;
    if (code == Code::unsupported || code == Code::value)
      return std::nullopt;  // no room, or no partial reductions for a sum
    throw;
  }
}

}  // namespace quadrille
