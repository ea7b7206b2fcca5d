// Chooses the layout, and does the common part: moves it so that nothing is below 0, rounds it, and keeps nodes at
// different places. The topology is asked first; the other layouts are for graphs of which only the channels are
// known. Cost: that of the layout, and a sort of the nodes.
#include "model/layout/positions.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "model/topology.h"

namespace quadrille {
namespace {

constexpr std::uint32_t most_with_springs = 200;
constexpr double hundredths = 100;

std::vector<NodePosition> chosen(const Fabric& fabric, const Limits& limits) {
  if (auto own = fabric.topology().positions(fabric); !own.empty()) return own;
  if (fabric.has_switches()) return layout::layered(fabric);
  if (fabric.nodes() <= most_with_springs) {
    if (auto settled = layout::springs(fabric, limits); !settled.empty()) return settled;
  }
  return layout::by_distance(fabric);
}

void move_to_the_corner(std::vector<NodePosition>& all) {
  if (all.empty()) return;
  const double left = std::ranges::min_element(all, {}, &NodePosition::x)->x;
  const double top = std::ranges::min_element(all, {}, &NodePosition::y)->y;
  for (NodePosition& it : all) {
    it.x = std::round((it.x - left) * hundredths) / hundredths;
    it.y = std::round((it.y - top) * hundredths) / hundredths;
  }
}

// Of several nodes at one place the later ones go to the right, in the order of their numbers.
void keep_apart(std::vector<NodePosition>& all) {
  std::vector<std::uint32_t> order(all.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(all[a].y, all[a].x, a) < std::tuple(all[b].y, all[b].x, b);
  });
  constexpr double apart = 0.25;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const NodePosition& before = all[order[i - 1]];
    NodePosition& here = all[order[i]];
    if (here.y == before.y && here.x <= before.x) here.x = std::round((before.x + apart) * hundredths) / hundredths;
  }
}

}  // namespace

std::vector<NodePosition> positions(const Fabric& fabric, const Limits& limits) {
  std::vector<NodePosition> all = chosen(fabric, limits);
  move_to_the_corner(all);
  keep_apart(all);
  return all;
}

}  // namespace quadrille
