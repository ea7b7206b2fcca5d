// Counts what the two sides want of one another.
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

// Processor q wants the contributions of all below it: out of the group, if someone outside is above someone inside.
Crossing prefix_crossing(std::uint64_t parts, const std::vector<bool>& inside) {
  const auto first = std::find(inside.begin(), inside.end(), true) - inside.begin();
  const auto first_outside = std::find(inside.begin(), inside.end(), false) - inside.begin();
  const auto last = inside.rend() - std::find(inside.rbegin(), inside.rend(), true) - 1;
  const auto last_outside = inside.rend() - std::find(inside.rbegin(), inside.rend(), false) - 1;
  return {first < last_outside ? parts : 0, first_outside < last ? parts : 0};
}

}  // namespace

Crossing crossing_by_size(const Collective& collective, std::uint64_t size, bool root_inside) {
  const std::uint64_t parts = collective.description().parts;
  const std::uint64_t n = collective.processors();
  if (size == 0 || size == n) return {};
  const std::uint64_t if_inside = root_inside ? parts : 0;
  const std::uint64_t if_outside = root_inside ? 0 : parts;
  switch (collective.kind()) {
    case CollectiveKind::total_exchange:
      return {size * (n - size) * parts, size * (n - size) * parts};
    case CollectiveKind::allgather:
      return {size * parts, (n - size) * parts};
    case CollectiveKind::reduce_scatter:
      return {(n - size) * parts, size * parts};
    case CollectiveKind::broadcast:
      return {if_inside, if_outside};
    case CollectiveKind::reduce:
      return {if_outside, if_inside};
    case CollectiveKind::scatter:
      return {if_inside * (n - size), if_outside * size};
    case CollectiveKind::gather:
      return {if_outside * size, if_inside * (n - size)};
    case CollectiveKind::allreduce:
    case CollectiveKind::prefix:
      return {parts, parts};
    default:
      return {};
  }
}

Crossing crossing(const Collective& collective, const std::vector<bool>& inside) {
  const auto size = static_cast<std::uint64_t>(std::count(inside.begin(), inside.end(), true));
  if (size == 0 || size == inside.size()) return {};
  if (collective.listed()) {
    return {listed_crossing(collective, inside, true), listed_crossing(collective, inside, false)};
  }
  if (collective.kind() == CollectiveKind::prefix) return prefix_crossing(collective.description().parts, inside);
  return crossing_by_size(collective, size, inside[collective.description().root]);
}

}  // namespace quadrille::bounds
