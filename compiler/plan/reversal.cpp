// Reversing a schedule in time turns every hop round, and makes step t into T + 1 - t: `send 0 -> 1`, `then send 1 ->
// 2` (a broadcast from 0) becomes 2 -> 1 in step 1, 1 -> 0 in step 2 (a reduction to 0). Packets get the names that
// the dual collective has for them. If copies become contributions, only the first reception of each processor counts:
// the others would be counted twice. In an all-reduce, a contribution that came from u to v over some hops goes from v
// to u over the same ones. Where an operation is ordered, it is for the checker to say whether only neighbours are
// joined. Cost: hops. (Broadcast and Associative Operations on Fat-Trees, §5.)
#include "compiler/plan/reversal.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "compiler/evaluate/evaluate.h"
#include "model/described.h"
#include "place/flights/forwarding.h"

namespace quadrille {
namespace {

ChannelId turned_round(const Fabric& fabric, ChannelId channel, Span span) {
  const auto reverse = fabric.reverse(channel);
  if (reverse) return *reverse;
  fail(span, fmt::format("this cannot be reversed in time: the link {} goes one way only", fabric.name(channel)),
       Code::route);
}

// Of the sends of a copying schedule, those that inform a processor of a chunk for the first time. (Broadcast and
// Associative Operations on Fat-Trees, §5: each node remembers the node which sent it the data first; the tree of
// these, time-reversed, computes the product.)
// A multicast is a send for each way from processor to processor: turned round, these join where they part.
Flights first_receptions(const Flights& written, const Fabric& fabric, const Collective& collective, Span span) {
  const auto to_several = [](const Flight& flight) { return flight.target == flight.source; };
  if (fabric.has_switches() && !fabric.switches_reduce() && std::ranges::any_of(written.list, to_several))
    fail(span, "a multicast cannot be reversed into a reduction; switches do not combine", Code::invalid);
  const Flights flights = forwarded(written, fabric);
  std::unordered_map<std::uint64_t, std::pair<std::uint32_t, std::size_t>> first;  // (target, chunk) -> arrival, flight
  for (std::size_t i = 0; i < flights.list.size(); ++i) {
    const Flight& flight = flights.list[i];
    if (collective.starts_at(flight.chunk, flight.target)) continue;
    const std::uint32_t arrival = flights.of(flight).back().step;
    const std::uint64_t key = flight.chunk.value * collective.processors() + flight.target.value;
    const auto [place, fresh] = first.emplace(key, std::pair{arrival, i});
    if (!fresh && arrival < place->second.first) place->second = {arrival, i};
  }
  std::vector<bool> keep(flights.list.size());
  for (const auto& [key, entry] : first) keep[entry.second] = true;
  Flights kept;
  for (std::size_t i = 0; i < flights.list.size(); ++i) {
    if (!keep[i]) continue;
    Flight flight = flights.list[i];
    const auto hops = flights.of(flight);
    flight.first_hop = kept.hops.size();
    kept.hops.insert(kept.hops.end(), hops.begin(), hops.end());
    kept.list.push_back(flight);
  }
  return kept;
}

}  // namespace

Collective dual(const Collective& collective, Span span) {
  const auto kind = Collective::dual(collective.kind());
  if (!kind)
    fail(span, fmt::format("a schedule for {} cannot be made by reversing another", described(collective)),
         Code::invalid);
  CollectiveDescription description = collective.description();
  description.kind = *kind;
  if (!kind->facts().combining) description.operation = Operation::commutative;  // copies know none
  auto dual = Collective::make(description, collective.processors(), span);
  if (!dual) throw EvaluationError{dual.diagnostics().front(), true};
  return *dual;
}

Flights reversed(const Flights& flights, const Fabric& fabric, const Collective& from, const Collective& to,
                 Span span) {
  const bool informs = to.combining() && !from.combining();
  Flights result = informs ? first_receptions(flights, fabric, from, span) : flights;
  const std::uint32_t last = result.last_step();
  for (Flight& flight : result.list) {
    const auto hops = result.of(flight);
    std::reverse(hops.begin(), hops.end());
    for (Hop& hop : hops) hop = {turned_round(fabric, hop.channel, span), last + 1 - hop.step};
    std::swap(flight.source, flight.target);
  }
  for (Flight& flight : result.list) {
    const auto chunk = from.dual_chunk(flight.chunk, flight.target, flight.source, to);
    if (!chunk)
      fail(span, fmt::format("a packet of {} has no counterpart in {}", described(from), described(to)), Code::invalid);
    flight.chunk = *chunk;
  }
  return result;
}

}  // namespace quadrille
