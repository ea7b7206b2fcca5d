// Bounds from cuts: what must cross between some processors and the others, over the channels between them.
//
//   total exchange of 4 on the ring 0-1-2-3, cut into {0, 1} and {2, 3}: 4 packets must cross each way over 2 channels,
//   so there are 2 steps at least
//
// Where links go one way, or carry more one way than the other, each way has a capacity of its own: a gather is judged
// by what enters the side of its root. In half duplex both ways share that of the links.
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
      visit(family.cut(index));
    }
  }
}

// Packets that must cross a cut over the same channels, with the same capacity.
struct Load {
  std::uint64_t packets = 0;
  std::vector<ChannelId> channels;
  std::uint64_t capacity = 0;
  bool inwards = false;  // only inwards; else outwards, or both ways
  bool twice = false;    // some value counts both ways, but pays once
  std::uint64_t steps() const { return divided_up(packets, capacity); }
};

// In half duplex the links that these channels are of carry the packets.
Load load_over(const Fabric& fabric, std::uint64_t packets, std::vector<ChannelId> channels, bool inwards) {
  Load load{packets, std::move(channels), 0, inwards, false};
  if (fabric.rules().duplex == Duplex::half) load.channels = links_of(fabric, load.channels);
  for (const ChannelId id : load.channels) load.capacity += fabric.channel(id).capacity;
  return load;
}

// Each way by itself; in half duplex both together, too. Where no channel leads there is no load: that there is no way
// is for the distances to say.
std::vector<Load> loads_of(const Fabric& fabric, const Collective& collective, const Cut& cut) {
  const Crossing it = crossing(collective, cut.inside);
  std::vector<Load> loads;
  if (fabric.rules().duplex == Duplex::half) {
    std::vector<ChannelId> both = cut.out;
    both.insert(both.end(), cut.in.begin(), cut.in.end());
    loads.push_back(load_over(fabric, it.out + it.in, std::move(both), false));
    loads.back().twice = it.in > 0 && it.out > 0 && values_go_both_ways(collective);
  }
  loads.push_back(load_over(fabric, it.out, cut.out, false));
  loads.push_back(load_over(fabric, it.in, cut.in, true));
  std::erase_if(loads, [](const Load& load) { return load.capacity == 0; });
  return loads;
}

// The load that takes longest; of those that take as long, one with the most packets.
std::optional<Load> heaviest_load(const Fabric& fabric, const Collective& collective, const Cut& cut) {
  const std::vector<Load> loads = loads_of(fabric, collective, cut);
  const auto heaviest = std::max_element(loads.begin(), loads.end(), [](const Load& a, const Load& b) {
    return std::pair(a.steps(), a.packets) < std::pair(b.steps(), b.packets);
  });
  return heaviest == loads.end() || heaviest->packets == 0 ? std::nullopt : std::optional(*heaviest);
}

// What crosses the cut costs 1 a row, in the steps in which that serves a demand: `before` hops come before the
// crossing and `after` after it, outwards; inwards the other way round.
std::function<std::vector<PriceList>(std::uint32_t)> crossing_prices(const Fabric& fabric, const Load& load,
                                                                     std::uint32_t before, std::uint32_t after) {
  if (load.twice) return {};
  if (fabric.rules().duplex == Duplex::half) after = before = std::min(before, after);
  if (load.inwards) std::swap(before, after);
  return [=, channels = load.channels](std::uint32_t T) {
    std::vector<PriceList> lists;
    if (T > before + after) price_channels(fabric, channels, before + 1, T - after, lists);
    return lists;
  };
}

}  // namespace

std::optional<Bound> cut_bound(const Fabric& fabric, const Collective& collective, const Limits& limits) {
  std::optional<Bound> best;
  each_cut(fabric, collective, limits, [&](const Cut& cut) {
    const std::optional<Load> load = heaviest_load(fabric, collective, cut);
    const std::uint64_t steps = load ? load->steps() : 0;
    if (steps == 0 || (best && best->steps > steps) || (best && best->steps == steps && cut.level == 0)) return;
    best = Bound{BoundKind::cut, steps,
                 fmt::format("{} must cross between {} and the rest, {} a step ({})", counted(load->packets, "packet"),
                             cut.name, load->capacity, table_1_source),
                 std::nullopt, crossing_prices(fabric, *load, 0, 0)};
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
    const std::optional<Load> load = heaviest_load(fabric, collective, cut);
    if (cut.level == 0 || !load) return;
    const std::uint64_t steps = load->steps() + 2 * cut.level - 1 - both_ways;
    if (best && best->steps >= steps) return;
    best = Bound{
        BoundKind::cut_and_distance, steps,
        fmt::format("{} must enter or leave {}, {} a step, and make {} (after {})", counted(load->packets, "packet"),
                    cut.name, load->capacity, counted(2 * cut.level - 1, "more hop"), table_1_source),
        std::nullopt, crossing_prices(fabric, *load, cut.level - 1, cut.level)};
  });
  return best;
}

}  // namespace quadrille::bounds
