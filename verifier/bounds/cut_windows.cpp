// Idea: a packet from s that crosses a cut travels from s to the cut before it first crosses, and from the cut to its
// target after it last crosses. Packets that each need `before` steps to come to the cut, and `after` steps from it,
// cross within T - before - after steps in all.
//
//   gather to 3 on the line 0-1-2-3, cut between 1 and 2: the packets of 0 and 1 cross 1->2, and then make one more
//   hop: 0 + 1 + 2 steps; the packet of 0 alone arrives a step later: 1 + 1 + 1
//
// A value of a combining collective comes from all who contribute to it, so it is as late as the farthest of them. A
// chunk goes to all who want it, so its way is as long as that to the farthest.
//
// Cost: two breadth-first searches, and (different numbers of hops before) x (different numbers of hops after).
#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "model/distances.h"
#include "verifier/bounds/parts.h"

namespace quadrille::bounds {
namespace {

constexpr std::size_t most_marks = 128;  // different numbers of hops before, and after

// Numbers of units by hops, ascending. (This is a list, because a long line has as many different hops as
// processors.)
using UnitsByHops = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

// The same with few different hops: units with other hops count with the next lower one.
UnitsByHops few_hops(const UnitsByHops& units) {
  UnitsByHops few;
  const std::size_t stride = units.size() / most_marks + 1;
  std::size_t i = 0;
  for (const auto& [hops, number] : units) {
    if (i++ % stride == 0) few.emplace_back(hops, 0);
    few.back().second += number;
  }
  return few;
}

// Counts units by the hops that they make before and after.
class Grid {
 public:
  Grid(const UnitsByHops& before, const UnitsByHops& after) : before_(marks(before)), after_(marks(after)) {
    units_.assign(before_.size() * after_.size(), 0);
  }

  void add(std::uint32_t before, std::uint32_t after, std::uint64_t units) {
    units_[mark(before_, before) * after_.size() + mark(after_, after)] += units;
  }

  // The longest of all windows that begin and end at marks.
  CrossingWindow longest(std::uint64_t capacity) const {
    CrossingWindow best;
    std::uint64_t most = 0;
    std::vector<std::uint64_t> so_far(after_.size());  // with so many hops before, or more
    for (std::size_t b = before_.size(); b-- > 0;) {
      std::uint64_t units = 0;
      for (std::size_t a = after_.size(); a-- > 0;) {
        so_far[a] += units_[b * after_.size() + a];
        units += so_far[a];
        const std::uint64_t steps = units == 0 ? 0 : before_[b] + after_[a] + divided_up(units, capacity);
        if (steps < most) continue;
        most = steps;
        best = {before_[b], after_[a], units};
      }
    }
    return best;
  }

 private:
  static std::vector<std::uint32_t> marks(const UnitsByHops& units) {
    std::vector<std::uint32_t> all;
    for (const auto& [hops, number] : few_hops(units)) all.push_back(hops);
    if (all.empty()) all.push_back(0);
    return all;
  }

  // The last mark that is not above `hops`.
  static std::size_t mark(const std::vector<std::uint32_t>& marks, std::uint32_t hops) {
    const auto above = std::ranges::upper_bound(marks, hops);
    return above == marks.begin() ? 0 : static_cast<std::size_t>(above - marks.begin()) - 1;
  }

  std::vector<std::uint32_t> before_;
  std::vector<std::uint32_t> after_;
  std::vector<std::uint64_t> units_;
};

// One direction across a cut. By processor: hops to the channels on the near side, hops from them on the far side.
struct OneWay {
  std::vector<bool> near;
  std::vector<std::uint32_t> to_cut;
  std::vector<std::uint32_t> from_cut;
};

OneWay one_way(const Fabric& fabric, const Cut& cut, bool outwards) {
  std::vector<NodeId> tails;
  std::vector<NodeId> heads;
  for (const ChannelId id : outwards ? cut.out : cut.in) {
    tails.push_back(fabric.channel(id).from);
    heads.push_back(fabric.channel(id).to);
  }
  const auto all = [](ChannelId) { return true; };
  OneWay way{cut.inside, distances(fabric, tails, Direction::to, all), distances(fabric, heads, Direction::from, all)};
  if (!outwards) way.near.flip();
  return way;
}

// The hops of the processors on one side. Unreachable ones are left out; other bounds deal with them.
UnitsByHops hops_of(const std::vector<std::uint32_t>& hops, const std::vector<bool>& side, bool value) {
  std::vector<std::uint64_t> numbers;
  for (std::size_t p = 0; p < side.size(); ++p) {
    if (side[p] != value || hops[p] == unreachable) continue;
    if (hops[p] >= numbers.size()) numbers.resize(hops[p] + 1);
    ++numbers[hops[p]];
  }
  UnitsByHops all;
  for (std::uint32_t number = 0; number < numbers.size(); ++number) {
    if (numbers[number] > 0) all.emplace_back(number, numbers[number]);
  }
  return all;
}

struct Units {
  std::uint32_t before;
  std::uint32_t after;
  std::uint64_t number;
};

// The chunks of a listed collective that cross the cut.
std::vector<Units> listed_units(const Collective& collective, const OneWay& way) {
  std::vector<Units> all;
  for (const CustomChunk& chunk : collective.description().chunks) {
    std::uint32_t before = unreachable;
    bool crosses = true;
    for (const std::uint32_t p : chunk.held_by) {
      before = std::min(before, way.to_cut[p]);
      crosses = crosses && way.near[p];
    }
    std::optional<std::uint32_t> after;
    for (const std::uint32_t p : chunk.wanted_by) {
      if (!way.near[p]) after = std::max(after.value_or(0), way.from_cut[p]);
    }
    if (crosses && after && before != unreachable && *after != unreachable) all.push_back({before, *after, 1});
  }
  return all;
}

// The units of one pair of a lower processor on the near side and a higher one on the far side: a pair with the most
// hops.
std::vector<Units> prefix_units(std::uint64_t parts, const OneWay& way) {
  std::optional<std::uint32_t> farthest;  // on the near side, so far
  std::optional<Units> most;
  for (std::size_t p = 0; p < way.near.size(); ++p) {
    if (way.near[p] && way.to_cut[p] != unreachable) farthest = std::max(farthest.value_or(0), way.to_cut[p]);
    if (way.near[p] || !farthest || way.from_cut[p] == unreachable) continue;
    if (!most || most->before + most->after < *farthest + way.from_cut[p]) {
      most = Units{*farthest, way.from_cut[p], parts};
    }
  }
  return most ? std::vector<Units>{*most} : std::vector<Units>{};
}

std::uint32_t largest(const UnitsByHops& hops) { return hops.back().first; }

// The hops between the cut and a root on the near side, or on the far side.
std::optional<std::uint32_t> root_hops(std::uint32_t root, const OneWay& way, bool near) {
  const std::uint32_t hops = near ? way.to_cut[root] : way.from_cut[root];
  return way.near[root] == near && hops != unreachable ? std::optional(hops) : std::nullopt;
}

// Units by the hops of their ends on one side. The ends are a root there; or each processor; or all processors, in
// which case the farthest counts.
UnitsByHops ends_of_units(DemandShape::Ends ends, bool own, const std::optional<std::uint32_t>& root,
                          const UnitsByHops& side) {
  if (ends == DemandShape::Ends::root) return root ? UnitsByHops{{*root, 1}} : UnitsByHops{};
  return own ? side : UnitsByHops{{largest(side), 1}};
}

// The units that cross in this direction, by hops.
std::vector<Units> units_across(const Collective& collective, const OneWay& way) {
  const auto& shape = collective.shape();
  if (!shape) return listed_units(collective, way);
  const UnitsByHops before = hops_of(way.to_cut, way.near, true);
  const UnitsByHops after = hops_of(way.from_cut, way.near, false);
  if (before.empty() || after.empty()) return {};
  if (shape->by_rank()) return prefix_units(shape->parts, way);
  UnitsByHops sources =
      ends_of_units(shape->suppliers, shape->unit_per_supplier, root_hops(shape->root, way, true), before);
  UnitsByHops targets =
      ends_of_units(shape->wanters, shape->unit_per_wanter, root_hops(shape->root, way, false), after);
  if (shape->personal()) {  // there are as many units as pairs of these
    sources = few_hops(sources);
    targets = few_hops(targets);
  }
  std::vector<Units> all;
  for (const auto& [b, from] : sources) {
    for (const auto& [a, to] : targets) all.push_back({b, a, from * to * shape->parts});
  }
  return all;
}

}  // namespace

CrossingWindow longest_window(const Fabric& fabric, const Collective& collective, const Cut& cut, Across across,
                              std::uint64_t capacity) {
  std::vector<Units> all;
  for (const bool outwards : {true, false}) {
    if (across == (outwards ? Across::in : Across::out)) continue;
    const std::vector<Units> units = units_across(collective, one_way(fabric, cut, outwards));
    all.insert(all.end(), units.begin(), units.end());
  }
  std::map<std::uint32_t, std::uint64_t> before;
  std::map<std::uint32_t, std::uint64_t> after;
  for (const Units& it : all) {
    before[it.before] += it.number;
    after[it.after] += it.number;
  }
  Grid grid({before.begin(), before.end()}, {after.begin(), after.end()});
  for (const Units& it : all) grid.add(it.before, it.after, it.number);
  return grid.longest(capacity);
}

}  // namespace quadrille::bounds
