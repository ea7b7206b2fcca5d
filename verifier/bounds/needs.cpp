// Idea: the collective alone determines what a processor must at least receive and send. The distances determine how
// early and how late.
//
//   in an allgather on the line 0-1-2, processor 0 receives one chunk from 1 hop away and one from 2. It sends its
//   own chunk to the farthest processor, 2 hops away, so the chunk must leave 2 steps before the end.
//
// Cost: a breadth-first search for each processor looked at, two where links go one way; one in all if all processors
// look alike.
#include <algorithm>

#include "model/topology.h"
#include "verifier/bounds/parts.h"

namespace quadrille::bounds {
namespace {

constexpr std::uint64_t most_work = std::uint64_t{1} << 28;  // visits of nodes and channels, about a second

// The distances to all others, and the largest of them.
struct Surroundings {
  Distances each;
  std::uint32_t farthest = 0;
};

// The surroundings made of processors first … end-1, with `units` each; `self` is left out.
Surroundings surroundings(const std::vector<std::uint32_t>& hops, std::uint32_t first, std::uint32_t end,
                          std::uint32_t self, std::uint64_t units) {
  Surroundings it;
  std::vector<std::uint64_t> near;  // by hops: a map would be slow for every pair of processors
  for (std::uint32_t other = first; other < end; ++other) {
    if (other == self) continue;
    it.farthest = std::max(it.farthest, hops[other]);
    if (hops[other] == far) {
      it.each[far] += units;
      continue;
    }
    if (hops[other] >= near.size()) near.resize(hops[other] + 1);
    near[hops[other]] += units;
  }
  for (std::uint32_t distance = 0; distance < near.size(); ++distance) {
    if (near[distance] > 0) it.each[distance] = near[distance];
  }
  return it;
}

// The hops to a processor, and from it. They are the same where links go both ways.
struct Hops {
  std::vector<std::uint32_t> to;
  std::vector<std::uint32_t> from;

  Hops(const Fabric& fabric, NodeId processor)
      : to(distances(fabric, processor, Direction::to)),
        from(fabric.has_one_way_links() ? distances(fabric, processor, Direction::from) : to) {}
};

// Units at each distance; or units that come from all (go to all), which count at the farthest distance.
Distances units_at(const Surroundings& it, bool one_of_each, std::uint64_t parts) {
  if (one_of_each || it.each.empty()) return it.each;
  return {{it.farthest, parts}};
}

// The needs of a processor in a collective without a root. By rank, it needs units from those before it, and has
// units for those after it.
ProcessorNeeds needs_without_root(const DemandShape& shape, std::uint32_t n, NodeId processor, const Hops& hops) {
  const std::uint32_t self = processor.value;
  const Surroundings to = surroundings(hops.to, 0, shape.by_rank() ? self : n, self, shape.parts);
  const Surroundings from = surroundings(hops.from, shape.by_rank() ? self + 1 : 0, n, self, shape.parts);
  return {processor, units_at(to, shape.unit_per_supplier, shape.parts),
          units_at(from, shape.unit_per_wanter, shape.parts)};
}

// The needs in a collective with a root: those of the root, and of one other processor.
std::vector<ProcessorNeeds> needs_with_root(const Fabric& fabric, const DemandShape& shape) {
  const NodeId root{shape.root};
  const std::uint32_t n = fabric.processors();
  const bool towards_root = shape.wanters == DemandShape::Ends::root;
  const std::vector<std::uint32_t> hops = distances(fabric, root, towards_root ? Direction::to : Direction::from);
  const Surroundings all = surroundings(hops, 0, n, root.value, shape.parts);
  ProcessorNeeds at_root{root, {}, {}};
  (towards_root ? at_root.in : at_root.out) =
      units_at(all, shape.unit_per_supplier || shape.unit_per_wanter, shape.parts);
  std::vector<ProcessorNeeds> needs{std::move(at_root)};
  // Of the other processors, the farthest one has the strictest needs.
  for (std::uint32_t other = 0; other < n; ++other) {
    if (other == root.value || hops[other] != all.farthest) continue;
    ProcessorNeeds needs_of_other{NodeId{other}, {}, {}};
    (towards_root ? needs_of_other.out : needs_of_other.in)[hops[other]] = shape.parts;
    needs.push_back(std::move(needs_of_other));
    break;
  }
  return needs;
}

// The needs in a listed collective. Sets `complete` to false if the limits end the search early.
std::vector<ProcessorNeeds> needs_of_listed(const Fabric& fabric, const Collective& collective, const Limits& limits,
                                            bool& complete) {
  Pulse pulse(limits);
  std::vector<ProcessorNeeds> needs(collective.processors());
  for (std::uint32_t p = 0; p < needs.size(); ++p) needs[p].processor = NodeId{p};
  std::map<std::uint32_t, std::vector<std::uint32_t>> hops;
  for (const CustomChunk& chunk : collective.description().chunks) {
    std::uint32_t farthest = 0;
    for (const std::uint32_t wanter : chunk.wanted_by) {
      if (pulse.reached()) {
        complete = false;
        return needs;
      }
      if (std::find(chunk.held_by.begin(), chunk.held_by.end(), wanter) != chunk.held_by.end()) continue;
      std::uint32_t nearest = far;
      for (const std::uint32_t holder : chunk.held_by) {
        auto& from_holder = hops[holder];
        if (from_holder.empty()) from_holder = distances(fabric, NodeId{holder}, Direction::from);
        nearest = std::min(nearest, from_holder[wanter]);
      }
      ++needs[wanter].in[nearest];
      farthest = std::max(farthest, nearest);
    }
    if (chunk.held_by.size() == 1 && farthest > 0) ++needs[chunk.held_by.front()].out[farthest];
  }
  return needs;
}

}  // namespace

NeedsOfAll needs_of(const Fabric& fabric, const Collective& collective, const Limits& limits) {
  NeedsOfAll all;
  const auto& shape = collective.shape();
  if (!shape) {
    all.needs = needs_of_listed(fabric, collective, limits, all.complete);
    return all;
  }
  if (shape->rooted()) {
    all.needs = needs_with_root(fabric, *shape);
    all.complete = false;
    return all;
  }
  const std::uint32_t n = fabric.processors();
  const std::uint64_t work = std::uint64_t{n} * (std::uint64_t{fabric.nodes()} + fabric.channels());
  // Looks at all processors; or at one that stands for all; or at some that are evenly spread.
  std::uint32_t stride = 1;
  if (fabric.topology().processors_alike() && collective.symmetric()) {
    all.all_alike = true;
    stride = n;
  } else if (work > most_work) {
    all.complete = false;
    stride = std::max(n / 4, 1U);
  }
  for (std::uint32_t processor = 0; processor < n; processor += stride) {
    if (processor > 0 && limits.reached() != Reason::none) {
      all.complete = false;
      break;
    }
    all.needs.push_back(needs_without_root(*shape, n, NodeId{processor}, Hops(fabric, NodeId{processor})));
  }
  return all;
}

}  // namespace quadrille::bounds
