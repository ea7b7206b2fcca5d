// Layouts in closed form: circles, grids, cubes, and products of any two. Cost: linear in the nodes.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "model/layout/positions.h"

namespace quadrille::layout {
namespace {

// From the first to the last, in one direction.
double length(const std::vector<NodePosition>& all, double NodePosition::*direction) {
  if (all.empty()) return 0;
  const auto [least, most] = std::ranges::minmax_element(all, {}, direction);
  return (*most).*direction - (*least).*direction;
}

}  // namespace

// Neighbours on the circle are 1 apart.
std::vector<NodePosition> circle(std::uint32_t count) {
  const double turn = 2 * std::numbers::pi / std::max(count, 1U);
  const double radius = count < 2 ? 0 : std::max(0.5, 1 / turn);
  std::vector<NodePosition> all(count);
  for (std::uint32_t i = 0; i < count; ++i) all[i] = {radius * std::sin(turn * i), -radius * std::cos(turn * i)};
  return all;
}

// The panels of dimension d from the end: columns, rows, panels beside one another, panels below one another, ….
std::vector<NodePosition> grid(const std::vector<std::uint32_t>& extents) {
  std::vector<NodePosition> all{{}};
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const std::uint32_t extent = extents[extents.size() - 1 - i];
    const bool beside = i % 2 == 0;
    const double pitch = i == 0 ? 1 : length(all, beside ? &NodePosition::x : &NodePosition::y) + (i < 2 ? 1 : 1.5);
    const std::vector<NodePosition> panel = std::move(all);
    all.clear();
    for (std::uint32_t k = 0; k < extent; ++k) {
      for (const NodePosition& it : panel)
        all.push_back({it.x + (beside ? pitch * k : 0), it.y + (beside ? 0 : pitch * k)});
    }
  }
  return all;
}

std::vector<NodePosition> cube(std::uint32_t dimensions) {
  constexpr std::array<NodePosition, 3> edges{{{1.5, 0}, {0, 1.5}, {0.6, -0.45}}};  // of a single cube
  constexpr double larger = 2;                                                      // the next cube than the one in it
  std::vector<NodePosition> all(std::size_t{1} << dimensions);
  for (std::size_t number = 0; number < all.size(); ++number) {
    for (std::uint32_t bit = 0; bit < dimensions; ++bit) {
      if ((number >> bit & 1U) == 0) continue;
      const double scale = std::pow(larger, bit / 3);
      all[number].x += edges[bit % 3].x * scale;
      all[number].y += edges[bit % 3].y * scale;
    }
  }
  return all;
}

// Neighbours in `large` are as far apart as a copy of `small` is long, and some more.
std::vector<NodePosition> product(const std::vector<NodePosition>& large, const std::vector<NodePosition>& small) {
  const double wide = length(small, &NodePosition::x) + 1;
  const double high = length(small, &NodePosition::y) + 1;
  std::vector<NodePosition> all;
  all.reserve(large.size() * small.size());
  for (const NodePosition& a : large) {
    for (const NodePosition& b : small) all.push_back({a.x * wide + b.x, a.y * high + b.y});
  }
  return all;
}

}  // namespace quadrille::layout
