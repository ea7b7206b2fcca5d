// A packet that reaches a switch in step a and leaves it in step d is there when the steps a + 1 to d begin. A packet
// that arrives in the step in which another leaves does not meet it.
//
//   star of 4, sends 1 -> 0 and 2 -> 0 of one value: both are in the switch when step 2 begins, if both leave in step 1
//
// Cost: a look-up for each hop and step of waiting.
#include "place/steps/meetings.h"

namespace quadrille {

Meetings::Meetings(const Fabric& fabric, const Collective& collective)
    : fabric_(fabric),
      collective_(collective),
      joins_(collective.combining() && fabric.switches_reduce() && fabric.has_switches()) {}

// Goes on until the visit says true.
template <class Visit>
bool Meetings::any_stay(ChunkId chunk, std::span<const TimedChannel> route, std::uint32_t start,
                        const Visit& visit) const {
  const ChunkName name = collective_.name(chunk);
  for (std::size_t h = 0; h + 1 < route.size(); ++h) {
    const NodeId at = fabric_.channel(route[h].channel).to;
    if (fabric_.is_processor(at)) continue;
    for (std::uint32_t step = route[h].offset + 1; step <= route[h + 1].offset; ++step) {
      if (visit(Stay{at, name.target.value_or(0), name.part, start + step})) return true;
    }
  }
  return false;
}

bool Meetings::meets(ChunkId chunk, std::span<const TimedChannel> route, std::uint32_t start) const {
  if (!joins_) return false;
  return any_stay(chunk, route, start, [&](const Stay& stay) { return stays_.contains(stay); });
}

void Meetings::book(ChunkId chunk, std::span<const TimedChannel> route, std::uint32_t start) {
  if (!joins_) return;
  any_stay(chunk, route, start, [&](const Stay& stay) {
    stays_.insert(stay);
    return false;
  });
}

bool packets_join(const Flights& flights, const Fabric& fabric, const Collective& collective) {
  Meetings meetings(fabric, collective);
  if (!meetings.apply()) return false;
  std::vector<TimedChannel> route;
  for (const Flight& flight : flights.list) {
    route.clear();
    for (const Hop& hop : flights.of(flight)) {
      // What branches, or goes on before it has come, is more than one packet on one way.
      const bool goes_on =
          route.empty() || (fabric.channel(route.back().channel).to == fabric.channel(hop.channel).from &&
                            hop.step > route.back().offset);
      if (!goes_on) return true;
      route.push_back({hop.channel, hop.step});
    }
    if (meetings.meets(flight.chunk, route, 0)) return true;
    meetings.book(flight.chunk, route, 0);
  }
  return false;
}

}  // namespace quadrille
