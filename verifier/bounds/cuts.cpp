// Bounds from cuts: the packets that must cross between some processors and the others, over the channels between
// them.
//
//   total exchange of 4 on the ring 0-1-2-3, cut into {0, 1} and {2, 3}: 4 packets must cross each way over 2 channels,
//   so there are 2 steps at least
//
// A packet travels to the cut before it crosses, and travels on after it (cut_windows.cpp). Where links go one way, or
// have different capacities, each direction has a capacity of its own: a gather is bounded by the packets that enter
// its root's side. In half duplex both directions share the capacity of the links.
//
// Cost: for each cut that is looked at, its channels and the collective's demand across it. If all cuts of a family
// are alike, one of them is looked at.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <utility>

#include "model/text/counted.h"
#include "model/topology.h"
#include "verifier/bounds/parts.h"
#include "verifier/bounds/split.h"

namespace quadrille::bounds {
namespace {

constexpr std::uint64_t most_listed_work = std::uint64_t{1} << 24;

// The indexes of the cuts of a family to look at. If all cuts are alike, one of them; else those around the first
// processor, the root and the last processor. For listed collectives, all of them, unless there are too many.
std::vector<std::uint64_t> indexes_to_try(const Collective& collective, const CutFamily& family) {
  if (family.count == 1) return {0};
  const auto [first, last] = std::pair(0U, collective.processors() - 1);
  if (!collective.shape() && collective.chunk_ids() * family.count <= most_listed_work) {
    std::vector<std::uint64_t> all(family.count);
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    return all;
  }
  if (collective.symmetric() && !collective.combining()) return {family.around(first)};
  return {family.around(first), family.around(collective.shape() ? collective.shape()->root : 0), family.around(last)};
}

// Packets that must cross a cut over the same channels, with the same capacity.
struct Load {
  std::uint64_t packets = 0;
  std::vector<ChannelId> channels;
  std::uint64_t capacity = 0;
  Across across = Across::out;
  bool twice = false;  // some value counts in both directions, but pays once
  std::uint64_t steps() const { return divided_up(packets, capacity); }
};

// The load of packets over channels. In half duplex the links of these channels carry the packets.
Load load_over(const Fabric& fabric, std::uint64_t packets, std::vector<ChannelId> channels, Across across) {
  Load load{packets, std::move(channels), 0, across, false};
  if (fabric.rules().duplex == Duplex::half) load.channels = links_of(fabric, load.channels);
  for (const ChannelId id : load.channels) load.capacity += fabric.channel(id).capacity;
  return load;
}

// The loads in each direction; in half duplex, also in both together. A direction without channels has no load: the
// bound by distances says that there is no path.
std::vector<Load> loads_of(const Fabric& fabric, const Collective& collective, const Cut& cut) {
  const CutDemand it = crossing(collective, cut.inside);
  std::vector<Load> loads;
  if (fabric.rules().duplex == Duplex::half) {
    std::vector<ChannelId> both = cut.out;
    both.insert(both.end(), cut.in.begin(), cut.in.end());
    loads.push_back(load_over(fabric, it.out + it.in, std::move(both), Across::both));
    loads.back().twice = it.in > 0 && it.out > 0 && values_go_both_ways(collective);
  }
  loads.push_back(load_over(fabric, it.out, cut.out, Across::out));
  loads.push_back(load_over(fabric, it.in, cut.in, Across::in));
  std::erase_if(loads, [](const Load& load) { return load.capacity == 0; });
  return loads;
}

// The load that takes longest; among equals, one with the most packets.
std::optional<Load> heaviest_load(const Fabric& fabric, const Collective& collective, const Cut& cut) {
  const std::vector<Load> loads = loads_of(fabric, collective, cut);
  const auto heaviest = std::max_element(loads.begin(), loads.end(), [](const Load& a, const Load& b) {
    return std::pair(a.steps(), a.packets) < std::pair(b.steps(), b.packets);
  });
  return heaviest == loads.end() || heaviest->packets == 0 ? std::nullopt : std::optional(*heaviest);
}

// "64 packets must cross between processors 0 to 7 and the rest, 1 a step".
std::string crossing_text(std::uint64_t packets, const Cut& cut, std::uint64_t capacity) {
  return fmt::format("{} must cross between {} and the rest, {} a step", counted(packets, "packet"), cut.name,
                     capacity);
}

// The window of packets that leave (enter) a subtree below a channel of this level.
CrossingWindow level_window(const Fabric& fabric, const Load& load, std::uint32_t level) {
  if (fabric.rules().duplex == Duplex::half) return {level - 1, level - 1, load.packets};
  if (load.across == Across::in) return {level, level - 1, load.packets};
  return {level - 1, level, load.packets};
}

// Prices of 1 for each row that crosses the cut in the steps of the window, the only ones in which it can serve a
// demand.
std::function<std::vector<PriceList>(std::uint32_t)> crossing_prices(const Fabric& fabric, const Load& load,
                                                                     const CrossingWindow& window) {
  if (load.twice) return {};
  return [=, channels = load.channels](std::uint32_t T) {
    std::vector<PriceList> lists;
    const auto [before, after] = std::pair(window.before, window.after);
    if (T > before + after) price_channels(fabric, channels, before + 1, T - after, lists);
    return lists;
  };
}

}  // namespace

Cuts known_cuts(const Fabric& fabric, const Collective& collective, const Limits& limits) {
  const auto each = [=](const Cuts::Visit& visit) {
    for (const CutFamily& family : fabric.topology().cuts(fabric)) {
      for (const std::uint64_t index : indexes_to_try(collective, family)) {
        if (limits.reached() != Reason::none) return;
        visit(family.cut(index));
      }
    }
  };
  return {each, fmt::format(" ({})", table_1_source)};
}

Cuts found_cuts(const Fabric& fabric, const Collective& collective, const Limits& limits) {
  const auto each = [cuts = graph_cuts(fabric, collective, limits)](const Cuts::Visit& visit) {
    for (const Cut& cut : cuts) visit(cut);
  };
  return {each, ""};
}

std::optional<Bound> cut_bound(const Fabric& fabric, const Collective& collective, const Cuts& cuts) {
  std::optional<Bound> best;
  cuts.each([&](const Cut& cut) {
    const std::optional<Load> load = heaviest_load(fabric, collective, cut);
    const std::uint64_t steps = load ? load->steps() : 0;
    if (steps == 0 || (best && best->steps > steps) || (best && best->steps == steps && cut.level == 0)) return;
    best = Bound{BoundKind::cut, steps, crossing_text(load->packets, cut, load->capacity) + cuts.source, std::nullopt,
                 crossing_prices(fabric, *load, {})};
  });
  return best;
}

// A packet that leaves a subtree below a channel of level h has made h - 1 hops before it crosses the channel, and
// makes h or more after it. A packet that enters makes h hops before and h - 1 after. So each of them crosses in one
// of T - 2h + 1 steps (half duplex: both kinds share T - 2h + 2).
std::optional<Bound> level_bound(const Fabric& fabric, const Collective& collective, const Cuts& cuts) {
  std::optional<Bound> best;
  const std::uint64_t both_ways = fabric.rules().duplex == Duplex::half ? 1 : 0;
  cuts.each([&](const Cut& cut) {
    const std::optional<Load> load = heaviest_load(fabric, collective, cut);
    if (cut.level == 0 || !load) return;
    const std::uint64_t steps = load->steps() + 2 * cut.level - 1 - both_ways;
    if (best && best->steps >= steps) return;
    best = Bound{
        BoundKind::cut_and_distance, steps,
        fmt::format("{} must enter or leave {}, {} a step, and make {} (after {})", counted(load->packets, "packet"),
                    cut.name, load->capacity, counted(2 * cut.level - 1, "more hop"), table_1_source),
        std::nullopt, crossing_prices(fabric, *load, level_window(fabric, *load, cut.level))};
  });
  return best;
}

std::optional<Bound> window_bound(const Fabric& fabric, const Collective& collective, const Cuts& cuts) {
  std::optional<Bound> best;
  cuts.each([&](const Cut& cut) {
    if (cut.level > 0) return;
    for (const Load& load : loads_of(fabric, collective, cut)) {
      if (load.packets == 0) continue;
      const CrossingWindow window = longest_window(fabric, collective, cut, load.across, load.capacity);
      const std::uint64_t hops = std::uint64_t{window.before} + window.after;
      const std::uint64_t steps = hops + divided_up(window.units, load.capacity);
      if (hops == 0 || (best && best->steps >= steps)) continue;
      best = Bound{BoundKind::cut_and_distance, steps,
                   fmt::format("{}, and make {}{}", crossing_text(window.units, cut, load.capacity),
                               counted(hops, "more hop"), cuts.source),
                   std::nullopt, crossing_prices(fabric, load, window)};
    }
  });
  return best;
}

}  // namespace quadrille::bounds
