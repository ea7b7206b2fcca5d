// Counts the units that the two sides want from each other.
//
//   allgather of 8, 3 inside: 3 chunks must leave, for the others, and 5 must enter; 4 processors of a broadcast, its
//   root among them: its one chunk must leave
//
// Cost: one look at each processor; of listed collectives, at each chunk.
#include "verifier/bounds/crossing.h"

#include <algorithm>

namespace quadrille::bounds {
namespace {

std::uint64_t listed_crossing(const Collective& collective, const std::vector<bool>& inside, bool outwards) {
  std::uint64_t crossing = 0;
  const auto is_behind = [&](std::uint32_t processor) { return inside[processor] == outwards; };
  for (const CustomChunk& chunk : collective.description().chunks) {
    const bool all_behind = std::all_of(chunk.held_by.begin(), chunk.held_by.end(), is_behind);
    const bool one_ahead = !std::all_of(chunk.wanted_by.begin(), chunk.wanted_by.end(), is_behind);
    crossing += all_behind && one_ahead ? 1 : 0;
  }
  return crossing;
}

// Processor q wants the contributions of all below it. So units leave the group if some processor outside is above
// one inside.
CutDemand prefix_crossing(std::uint64_t parts, const std::vector<bool>& inside) {
  const auto first = std::find(inside.begin(), inside.end(), true) - inside.begin();
  const auto first_outside = std::find(inside.begin(), inside.end(), false) - inside.begin();
  const auto last = inside.rend() - std::find(inside.rbegin(), inside.rend(), true) - 1;
  const auto last_outside = inside.rend() - std::find(inside.rbegin(), inside.rend(), false) - 1;
  return {first < last_outside ? parts : 0, first_outside < last ? parts : 0};
}

}  // namespace

CutDemand crossing_by_size(const DemandShape& shape, std::uint64_t processors, std::uint64_t size, bool root_inside) {
  if (size == 0 || size == processors) return {};
  // The number of distinct units by their ends on one side, which has `there` processors, the root among them or not.
  const auto ends = [](DemandShape::Ends who, bool own, std::uint64_t there, bool root) -> std::uint64_t {
    if (who == DemandShape::Ends::root) return root ? 1 : 0;
    return own ? there : 1;
  };
  const auto across = [&](std::uint64_t near, bool root_near) {
    return shape.parts * ends(shape.suppliers, shape.unit_per_supplier, near, root_near) *
           ends(shape.wanters, shape.unit_per_wanter, processors - near, !root_near);
  };
  return {across(size, root_inside), across(processors - size, !root_inside)};
}

CutDemand crossing(const Collective& collective, const std::vector<bool>& inside) {
  const auto size = static_cast<std::uint64_t>(std::count(inside.begin(), inside.end(), true));
  if (size == 0 || size == inside.size()) return {};
  const auto& shape = collective.shape();
  if (!shape) {
    return {listed_crossing(collective, inside, true), listed_crossing(collective, inside, false)};
  }
  if (shape->by_rank()) return prefix_crossing(shape->parts, inside);
  return crossing_by_size(*shape, inside.size(), size, inside[shape->root]);
}

}  // namespace quadrille::bounds
