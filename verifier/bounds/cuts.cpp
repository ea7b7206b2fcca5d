// Bounds from cuts: what must cross between some processors and the others, over the channels between them.
//
//   total exchange of 4 on the ring 0-1-2-3, cut into {0, 1} and {2, 3}: 4 packets must cross each way over 2 channels,
//   so there are 2 steps at least
//
// Cost: for each cut looked at, its channels and what the collective says of it; where all cuts of a family are alike,
// one is looked at.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "model/counted.h"
#include "model/topology.h"
#include "verifier/bounds/parts.h"
#include "verifier/bounds/prices.h"

namespace quadrille::bounds {
namespace {

constexpr std::uint64_t most_listed_work = std::uint64_t{1} << 24;

// The cuts of a family that are worth a look: where all are alike any will do; else the ones around the first
// processor, the root, and the last; for listed collectives all, unless there are too many.
std::vector<std::uint64_t> indexes_to_try(const Collective& collective, const CutFamily& family) {
  if (family.count == 1) return {0};
  const auto [first, last] = std::pair(0U, collective.processors() - 1);
  if (collective.listed() && collective.chunk_ids() * family.count <= most_listed_work) {
    std::vector<std::uint64_t> all(family.count);
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    return all;
  }
  if (collective.symmetric() && !collective.combining()) return {family.around(first)};
  return {family.around(first), family.around(collective.description().root), family.around(last)};
}

template <class Visit>
void each_cut(const Fabric& fabric, const Collective& collective, const Limits& limits, Visit visit) {
  for (const CutFamily& family : fabric.topology().cuts(fabric)) {
    for (const std::uint64_t index : indexes_to_try(collective, family)) {
      if (limits.reached() != Reason::none) return;
      const Cut cut = family.cut(index);
      if (cut.capacity > 0) visit(cut);
    }
  }
}

// The packets that share the cut's capacity: the busier way's; in half duplex both.
std::uint64_t crossing_packets(const Fabric& fabric, const Collective& collective, const Cut& cut) {
  const Crossing it = crossing(collective, cut.inside);
  return fabric.rules().duplex == Duplex::half ? it.out + it.in : std::max(it.out, it.in);
}

// What crosses the cut, the busier way, costs 1 a row, in the steps in which that serves a demand: `before` hops come
// before the crossing and `after` after it, outwards; inwards the other way round.
std::function<std::vector<PriceList>(std::uint32_t)> crossing_prices(const Fabric& fabric, const Collective& collective,
                                                                     const Cut& cut, std::uint32_t before,
                                                                     std::uint32_t after) {
  const Crossing it = crossing(collective, cut.inside);
  std::vector<ChannelId> channels = cut.out;
  if (fabric.rules().duplex == Duplex::half) {
    if (it.in > 0 && it.out > 0 && values_go_both_ways(collective)) return {};
    after = before = std::min(before, after);
  } else if (it.in > it.out) {
    for (ChannelId& id : channels) id = fabric.reverse(id);
    std::swap(before, after);
  }
  return [=](std::uint32_t T) {
    std::vector<PriceList> lists;
    if (T > before + after) price_channels(fabric, channels, before + 1, T - after, lists);
    return lists;
  };
}

}  // namespace

std::optional<Bound> cut_bound(const Fabric& fabric, const Collective& collective, const Limits& limits) {
  std::optional<Bound> best;
  each_cut(fabric, collective, limits, [&](const Cut& cut) {
    const std::uint64_t packets = crossing_packets(fabric, collective, cut);
    const std::uint64_t steps = divided_up(packets, cut.capacity);
    if (steps == 0 || (best && best->steps > steps) || (best && best->steps == steps && cut.level == 0)) return;
    best = Bound{BoundKind::cut, steps,
                 fmt::format("{} must cross between {} and the rest, {} a step ({})", counted(packets, "packet"),
                             cut.name, cut.capacity, table_1_source),
                 std::nullopt, crossing_prices(fabric, collective, cut, 0, 0)};
  });
  return best;
}

// A packet that leaves a subtree below a channel of level h has made h - 1 hops before it crosses the channel and makes
// h or more after it; one that enters, h before and h - 1 after. So each of them crosses in one of T - 2h + 1 steps
// (half duplex: both kinds share T - 2h + 2).
std::optional<Bound> cut_and_distance_bound(const Fabric& fabric, const Collective& collective, const Limits& limits) {
  std::optional<Bound> best;
  const std::uint64_t both_ways = fabric.rules().duplex == Duplex::half ? 1 : 0;
  each_cut(fabric, collective, limits, [&](const Cut& cut) {
    const std::uint64_t packets = crossing_packets(fabric, collective, cut);
    if (cut.level == 0 || packets == 0) return;
    const std::uint64_t steps = divided_up(packets, cut.capacity) + 2 * cut.level - 1 - both_ways;
    if (best && best->steps >= steps) return;
    best = Bound{BoundKind::cut_and_distance, steps,
                 fmt::format("{} must enter or leave {}, {} a step, and make {} (after {})", counted(packets, "packet"),
                             cut.name, cut.capacity, counted(2 * cut.level - 1, "more hop"), table_1_source),
                 std::nullopt, crossing_prices(fabric, collective, cut, cut.level - 1, cut.level)};
  });
  return best;
}

}  // namespace quadrille::bounds
