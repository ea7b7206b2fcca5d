// The first pass over the flights finds when the first flight ends with a chunk at a processor. Then the processors
// that send or want a chunk earlier than that are listed. If there are any, a second pass finds the first passage
// there.
//
// For example, on a ring `send 0 -> 2`, then `send 1 -> 3` with the same packet: no flight ends at 1, so the first hop
// of the first flight is a needed passage. Cost: hops; of a multicast of h hops, h^2 (to find where it ends). Memory:
// 16 to 32 bytes for each chunk and processor where one ends, until it returns.
#include "compiler/place/needed_passages.h"

#include <algorithm>

#include "compiler/place/packed_table.h"
#include "compiler/plan/flight_walk.h"

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
  // Calls visit(chunk and processor, flight, hop, step, whether the flight ends there) for each hop.
  const auto for_all_hops = [&](const auto& visit) {
    for (std::uint32_t f = 0; f < flights.list.size(); ++f) {
      const FlightWalk walk(flights.list[f], all.of(flights.list[f]), fabric);
      for (std::uint32_t h = 0; h < walk.hops().size(); ++h)
        visit(ChunkAt{flights.list[f].chunk.value, walk.to(h).value}, NeededPassage{f, h}, walk.hops()[h].step,
              walk.last(h));
    }
  };
  PackedTable<FirstPassage> wanted;  // of what nobody brings (in time)
  {
    PackedTable<std::uint32_t> ended;  // first arrival of those that end there
    for_all_hops([&](const ChunkAt& at, const NeededPassage&, std::uint32_t step, bool last) {
      if (!last) return;
      std::uint32_t& first = ended.insert(at, never).first;
      first = std::min(first, step);
    });
    const auto want = [&](ChunkId chunk, NodeId processor, std::uint32_t before) {
      if (collective.starts_at(chunk, processor)) return;
      const std::uint32_t* found = ended.find({chunk.value, processor.value});
      if (found == nullptr || *found >= before) wanted.insert({chunk.value, processor.value}, {});
    };
    for (const Flight& flight : flights.list) {
      const Hop hop = all.of(flight).front();
      want(flight.chunk, fabric.channel(hop.channel).from, hop.step);
    }
    for (std::uint64_t d = 0; d < collective.demands(); ++d) {
      const auto [chunk, processor] = collective.demand_at(d);
      want(chunk, processor, never);
    }
  }
  if (wanted.size() == 0) return {};
  for_all_hops([&](const ChunkAt& at, const NeededPassage& passage, std::uint32_t step, bool) {
    FirstPassage* first = wanted.find(at);
    if (first != nullptr && step < first->step) *first = {step, passage};
  });
  std::vector<NeededPassage> needed;
  wanted.for_each([&](const ChunkAt&, const FirstPassage& first) {
    if (first.passage != none) needed.push_back(first.passage);
  });
  std::ranges::sort(needed);
  return needed;
}

}  // namespace quadrille
