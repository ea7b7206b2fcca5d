// Bounds from cuts: what must cross between some processors and the others, over the channels between them.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <variant>

#include "model/counted.h"
#include "verifier/bounds/parts.h"
#include "verifier/bounds/prices.h"

namespace quadrille::bounds {
namespace {

constexpr std::uint64_t most_custom_work = std::uint64_t{1} << 24;

struct Cut {
  std::vector<bool> inside;
  std::uint64_t capacity = 0;       // each way
  std::uint32_t level = 0;          // trees: the cut channels'; elsewhere 0
  std::string name;                 // "the subtree of switch 3.0"
  std::vector<ChannelId> out = {};  // the channels that cross it, outwards
};

// The cut off b^(level-1) leaves of a tree among which is `leaf`.
Cut subtree_cut(const Fabric& fabric, std::uint64_t size, std::uint32_t level, std::uint32_t capacity,
                std::uint32_t leaf) {
  const std::uint64_t first = leaf / size * size;
  Cut cut{std::vector<bool>(fabric.processors()), capacity, level, {}};
  std::fill_n(cut.inside.begin() + static_cast<std::ptrdiff_t>(first), size, true);
  cut.name = size == 1 ? fmt::format("processor {}", first)
                       : fmt::format("the subtree of switch {}.{}", level - 1, first / size);
  const NodeId top =
      level == 1 ? NodeId{static_cast<std::uint32_t>(first)} : *fabric.switch_at(level - 1, first / size);
  cut.out.push_back(fabric.channels_from(top).back());  // a node's last channel goes to its parent
  return cut;
}

// The leaves whose subtrees are worth a look: where all are alike any will do; else the root's, the first and the last;
// for custom collectives all, unless there are too many.
std::vector<std::uint32_t> leaves_to_try(const Collective& collective, std::uint64_t size) {
  const std::uint32_t n = collective.processors();
  std::vector<std::uint32_t> leaves{0, collective.description().root, n - 1};
  const std::uint64_t subtrees = n / size;
  if (collective.kind() == CollectiveKind::custom && collective.chunk_ids() * subtrees <= most_custom_work) {
    leaves.clear();
    for (std::uint64_t j = 0; j < subtrees; ++j) leaves.push_back(static_cast<std::uint32_t>(j * size));
  } else if (collective.kind() == CollectiveKind::total_exchange || collective.kind() == CollectiveKind::allgather) {
    leaves.resize(1);
  }
  return leaves;
}

template <class Visit>
void each_tree_cut(const Fabric& fabric, const Collective& collective, const FatTreeShape& tree, const Limits& limits,
                   Visit visit) {
  std::uint64_t size = 1;
  for (std::uint32_t level = 1; level <= tree.capacities.size(); ++level, size *= tree.arity) {
    for (const std::uint32_t leaf : leaves_to_try(collective, size)) {
      if (limits.reached() != Reason::none) return;
      visit(subtree_cut(fabric, size, level, tree.capacities[level - 1], leaf));
    }
  }
}

// One half of a grid along each dimension.
template <class Visit>
void each_grid_cut(const Fabric& fabric, const GridShape& grid, const Limits& limits, Visit visit) {
  std::uint64_t stride = fabric.processors();
  for (std::size_t dimension = 0; dimension < grid.extents.size(); ++dimension) {
    if (limits.reached() != Reason::none) return;
    const std::uint32_t extent = grid.extents[dimension];
    stride /= extent;
    Cut cut{std::vector<bool>(fabric.processors()), 0, 0, {}};
    for (std::uint64_t p = 0; p < cut.inside.size(); ++p) cut.inside[p] = p / stride % extent < extent / 2;
    for (std::uint32_t id = 0; id < fabric.channels(); ++id) {
      const Channel& channel = fabric.channel(ChannelId{id});
      if (!cut.inside[channel.from.value] || cut.inside[channel.to.value]) continue;
      cut.capacity += channel.capacity;
      cut.out.emplace_back(id);
    }
    cut.name = fmt::format("half of the {} along dimension {}", grid.kind, dimension);
    if (cut.capacity > 0) visit(cut);
  }
}

template <class Visit>
void each_cut(const Fabric& fabric, const Collective& collective, const Limits& limits, Visit visit) {
  if (const auto* tree = std::get_if<FatTreeShape>(&fabric.shape())) {
    each_tree_cut(fabric, collective, *tree, limits, visit);
  } else if (const auto* star = std::get_if<StarShape>(&fabric.shape())) {
    each_tree_cut(fabric, collective, FatTreeShape{star->processors, {star->capacity}}, limits, visit);
  } else if (const auto* grid = std::get_if<GridShape>(&fabric.shape())) {
    each_grid_cut(fabric, *grid, limits, visit);
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
                 fmt::format("{} must cross between {} and the rest, {} a step, and make {} at least (after {})",
                             counted(packets, "packet"), cut.name, cut.capacity, counted(2 * cut.level - 1, "more hop"),
                             table_1_source),
                 std::nullopt, crossing_prices(fabric, collective, cut, cut.level - 1, cut.level)};
  });
  return best;
}

}  // namespace quadrille::bounds
