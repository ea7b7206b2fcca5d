// For each flight, the provider is the last flight that ended, before it, where it starts, with its packet. If it is
// the only flight that goes on from its provider, it takes over the provider's hops.
//
// For example, of 0 -> 2, 2 -> 1 and 2 -> 3 with one packet, two go on from the first: all three stay. Without the
// last, 0 -> 2 -> 1 becomes one flight. Cost: for each flight, the earlier ones of its packet that end where it starts.
#include "place/steps/relays.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace quadrille {
namespace {

using FlightNumber = std::uint32_t;

// For each flight, the one that brought its packet to where it starts.
std::vector<std::optional<FlightNumber>> providers(const Flights& flights, const Collective& collective) {
  std::map<std::pair<ChunkId, NodeId>, std::vector<FlightNumber>>
      ended;  // flights that end there, of packets that are not for there
  std::vector<std::optional<FlightNumber>> result(flights.list.size());
  for (FlightNumber f = 0; f < flights.list.size(); ++f) {
    const Flight& flight = flights.list[f];
    const ChunkName name = collective.name(flight.chunk);
    if (flight.source == flight.target) continue;  // a multicast
    if (name.target != flight.target.value) ended[{flight.chunk, flight.target}].push_back(f);
    if (name.origin == flight.source.value) continue;
    const auto found = ended.find({flight.chunk, flight.source});
    if (found == ended.end()) continue;
    for (const FlightNumber before : found->second) {
      if (flights.of(flights.list[before]).back().step < flights.of(flight).front().step) result[f] = before;
    }
  }
  return result;
}

}  // namespace

Flights without_relays(const Flights& flights, const Collective& collective) {
  const auto provider = providers(flights, collective);
  std::vector<std::uint32_t> readers(flights.list.size());
  for (const auto& before : provider) {
    if (before) ++readers[*before];
  }
  std::vector<Flight> whole = flights.list;
  std::vector<std::vector<Hop>> hops(flights.list.size());
  std::vector<bool> goes_on(flights.list.size());
  for (FlightNumber f = 0; f < flights.list.size(); ++f) {
    // Flights are in order of departure, so what the provider took over from its own is in its hops already.
    if (provider[f] && readers[*provider[f]] == 1) {
      hops[f] = std::move(hops[*provider[f]]);
      whole[f].source = whole[*provider[f]].source;
      goes_on[*provider[f]] = true;
    }
    const auto own = flights.of(flights.list[f]);
    hops[f].insert(hops[f].end(), own.begin(), own.end());
  }
  // A flight from which a single one goes on is left out: its hops are in that one.
  Flights merged;
  for (FlightNumber f = 0; f < flights.list.size(); ++f) {
    if (goes_on[f]) continue;
    whole[f].first_hop = merged.hops.size();
    whole[f].hops = static_cast<std::uint32_t>(hops[f].size());
    merged.hops.insert(merged.hops.end(), hops[f].begin(), hops[f].end());
    merged.list.push_back(whole[f]);
  }
  std::stable_sort(merged.list.begin(), merged.list.end(), [&](const Flight& a, const Flight& b) {
    return merged.of(a).front().step < merged.of(b).front().step;
  });
  return merged;
}

}  // namespace quadrille
