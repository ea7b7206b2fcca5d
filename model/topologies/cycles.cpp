// A product of cycles of r and c nodes contains a torus of r rows and c columns. Each row is walked along once, from
// some column to the one before it, or to the one behind it if it is walked the other way; there the next row begins.
// After all rows the column is the first one again if as many rows go one way as the other, which is possible for even
// r; or, for odd r >= c and odd c, if c more of them do.
//
//   3 x 3, all rows to the right: 0 1 2 | 5 3 4 | 7 8 6 |, and 6 is below 0
//
// A mesh of r rows, r even, is walked along in serpentines through all columns but the first one, and back through
// that. Cost: linear in the nodes.
#include "model/topologies/cycles.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace quadrille {
namespace {

// The torus of r rows and c columns as pairs (row, column). Requires r even, or both odd and r >= c; both at least 2.
std::vector<std::pair<std::uint32_t, std::uint32_t>> torus_cycle(std::uint32_t r, std::uint32_t c) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> cycle;
  const std::uint32_t surplus = r % 2 == 0 ? 0 : c;
  const std::uint32_t to_the_right = (r + surplus) / 2;
  std::uint32_t column = 0;
  for (std::uint32_t row = 0; row < r; ++row) {
    const std::uint32_t by = row < to_the_right ? 1 : c - 1;
    for (std::uint32_t i = 0; i < c; ++i) {
      if (i > 0) column = static_cast<std::uint32_t>((std::uint64_t{column} + by) % c);
      cycle.emplace_back(row, column);
    }
  }
  return cycle;
}

// All points in an order in which each is a neighbour of the next, as numbers.
std::vector<std::uint32_t> serpentine(const std::vector<std::uint32_t>& extents,
                                      const std::vector<std::uint32_t>& strides) {
  std::vector<std::uint32_t> path = {0};
  for (std::size_t d = 0; d < extents.size(); ++d) {
    const std::vector<std::uint32_t> before = path;
    path.clear();
    for (std::uint32_t x = 0; x < extents[d]; ++x) {
      const std::uint32_t shift = x * strides[d];
      const auto shifted = [&](std::uint32_t point) { return point + shift; };
      if (x % 2 == 0)
        std::transform(before.begin(), before.end(), std::back_inserter(path), shifted);
      else
        std::transform(before.rbegin(), before.rend(), std::back_inserter(path), shifted);
    }
  }
  return path;
}

}  // namespace

Cycle product_of_cycles(const Cycle& a, const Cycle& b) {
  const auto width = static_cast<std::uint32_t>(b.size());
  const auto number = [&](std::uint32_t of_a, std::uint32_t of_b) { return a[of_a] * width + b[of_b]; };
  Cycle cycle;
  const auto m = static_cast<std::uint32_t>(a.size());
  if (m == 1 || width == 1) {
    for (std::uint32_t i = 0; i < m * width; ++i) cycle.push_back(number(m == 1 ? 0 : i, m == 1 ? i : 0));
    return cycle;
  }
  if (m % 2 == 0 || (width % 2 == 1 && m >= width)) {
    for (const auto& [row, column] : torus_cycle(m, width)) cycle.push_back(number(row, column));
  } else {
    for (const auto& [row, column] : torus_cycle(width, m)) cycle.push_back(number(column, row));
  }
  return cycle;
}

std::optional<Cycle> mesh_cycle(const std::vector<std::uint32_t>& extents) {
  std::vector<std::uint32_t> strides(extents.size());
  std::uint32_t points = 1;
  for (std::size_t d = extents.size(); d-- > 0;) {
    strides[d] = points;
    points *= extents[d];
  }
  if (points == 1) return Cycle{0};
  const auto even = std::find_if(extents.begin(), extents.end(), [](std::uint32_t e) { return e % 2 == 0; });
  if (even == extents.end()) return std::nullopt;
  const std::uint32_t rows = *even;
  const std::uint32_t down = strides[static_cast<std::size_t>(even - extents.begin())];
  std::vector<std::uint32_t> other_extents = extents;
  std::vector<std::uint32_t> other_strides = strides;
  other_extents.erase(other_extents.begin() + (even - extents.begin()));
  other_strides.erase(other_strides.begin() + (even - extents.begin()));
  const std::vector<std::uint32_t> columns = serpentine(other_extents, other_strides);
  if (columns.size() == 1) return rows == 2 ? std::optional(Cycle{0, down}) : std::nullopt;
  Cycle cycle;
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::size_t i = 1; i < columns.size(); ++i) {
      cycle.push_back(row * down + (row % 2 == 0 ? columns[i] : columns[columns.size() - i]));
    }
  }
  for (std::uint32_t row = rows; row-- > 0;) cycle.push_back(row * down + columns[0]);
  return cycle;
}

}  // namespace quadrille
