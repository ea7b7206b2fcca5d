// The first pass over the flights finds when the first flight ends with a chunk at a processor. Then the processors
// that send or want a chunk earlier than that are listed. If there are any, a second pass finds the first passage
// there.
//
// For example, on a ring `send 0 -> 2`, then `send 1 -> 3` with the same packet: no flight ends at 1, so the first hop
// of the first flight is a needed passage. Cost: hops; of a multicast of h hops, h^2 (to find where it ends). Memory:
// 16 to 32 bytes for each chunk and processor where one ends, until it returns.
#include "place/needs/needed_passages.h"

#include <algorithm>
#include <utility>

#include "model/containers/packet_table.h"
#include "place/flights/flight_walk.h"

namespace quadrille {
namespace {

constexpr std::uint32_t never = 0xffffffff;
constexpr NeededPassage none{never, never};

struct FirstPassage {
  std::uint32_t step = never;
  NeededPassage passage = none;
};

}  // namespace

std::vector<NeededPassage> needed_passages(const Flights& flights, const Fabric& fabric, const Collective& collective) {
  FlightHops all(flights, fabric);
  std::pmr::memory_resource& memory = *std::pmr::get_default_resource();
  PacketTable<PlaceKey, FirstPassage> wanted(memory);  // of what nobody brings (in time)
  {
    PacketTable<PlaceKey, std::uint32_t> ended(memory);  // first arrival of those that end there
    const auto end = [&](const PlaceKey& at, std::uint32_t step) {
      const auto [first, is_new] = ended.insert(at);
      *first = is_new ? step : std::min(*first, step);
    };
    const RepeatedChunks repeated(flights.list);
    for (const Flight& flight : flights.list) {
      // Of a chunk that is sent once, nobody asks when it arrives.
      if (flight.hops == 0 && !repeated.maybe(flight.chunk)) {
        end({flight.chunk.value, flight.target.value}, flight.start);
        continue;
      }
      const FlightWalk walk(flight, all.of(flight), fabric);
      for (std::uint32_t h = 0; h < walk.hops().size(); ++h) {
        if (walk.last(h)) end({flight.chunk.value, walk.to(h).value}, walk.hops()[h].step);
      }
    }
    const auto want = [&](ChunkId chunk, NodeId processor, std::uint32_t before) {
      if (collective.starts_at(chunk, processor)) return;
      const std::uint32_t* found = ended.find({chunk.value, processor.value});
      if (found == nullptr || *found >= before) wanted.insert({chunk.value, processor.value});
    };
    for (const Flight& flight : flights.list) {
      const bool stored = flight.hops > 0;
      const NodeId source = stored ? fabric.channel(flights.of(flight).front().channel).from : flight.source;
      want(flight.chunk, source, flights.departure(flight));
    }
    for (std::uint64_t d = 0; d < collective.demands(); ++d) {
      const auto [chunk, processor] = collective.demand_at(d);
      want(chunk, processor, never);
    }
  }
  if (wanted.size() == 0) return {};
  for (std::uint32_t f = 0; f < flights.list.size(); ++f) {
    const auto hops = all.of(flights.list[f]);
    for (std::uint32_t h = 0; h < hops.size(); ++h) {
      FirstPassage* first = wanted.find({flights.list[f].chunk.value, fabric.channel(hops[h].channel).to.value});
      if (first != nullptr && hops[h].step < first->step) *first = {hops[h].step, {f, h}};
    }
  }
  std::vector<NeededPassage> needed;
  wanted.each([&](const PlaceKey&, const FirstPassage& first) {
    if (first.passage != none) needed.push_back(first.passage);
  });
  std::ranges::sort(needed);
  return needed;
}

}  // namespace quadrille
