// "At most k of m" as clauses: by pairs for k = 1 and few literals, else by the sequential counter, whose variable
// s(i, j) says that j or more of the first i literals are true.
//
//   at most 1 of a, b, c, d, e: a => s(1,1), b => s(2,1), s(1,1) => s(2,1), b => not s(1,1), …
//
// Cost: (m - 1) k variables, about 2 m k clauses. (C. Sinz, Towards an Optimal CNF Encoding of Boolean Cardinality
// Constraints, CP 2005.)
#include <algorithm>
#include <utility>
#include <vector>

#include "verifier/search/solver/solver.h"

namespace quadrille::searching {
namespace {

constexpr std::size_t most_in_pairs = 4;

void in_pairs(std::span<const int> literals, ClauseSink& sink) {
  for (std::size_t i = 0; i < literals.size(); ++i) {
    for (std::size_t j = i + 1; j < literals.size(); ++j) sink.clause({-literals[i], -literals[j]});
  }
}

// Sinz's sequential counter. Requires 0 < k < the number of literals.
void sequential_counter(std::uint64_t k, std::span<const int> x, int& next, ClauseSink& sink) {
  const auto width = static_cast<int>(k);
  const int first = next;
  const std::size_t m = x.size();
  // s(i, j): j or more of x1 … xi.
  const auto s = [&](std::size_t i, int j) { return first + static_cast<int>(i - 1) * width + j - 1; };
  next += static_cast<int>(m - 1) * width;
  sink.clause({-x[0], s(1, 1)});
  for (int j = 2; j <= width; ++j) sink.clause({-s(1, j)});
  for (std::size_t i = 2; i < m; ++i) {
    sink.clause({-x[i - 1], s(i, 1)});
    sink.clause({-s(i - 1, 1), s(i, 1)});
    for (int j = 2; j <= width; ++j) {
      sink.clause({-x[i - 1], -s(i - 1, j - 1), s(i, j)});
      sink.clause({-s(i - 1, j), s(i, j)});
    }
    sink.clause({-x[i - 1], -s(i - 1, width)});
  }
  sink.clause({-x[m - 1], -s(m - 1, width)});
}

}  // namespace

void ClauseSink::at_most(std::uint64_t k, std::span<const int> literals, int& next) {
  if (literals.size() <= k) return;
  if (k == 0) {
    for (const int literal : literals) clause({-literal});
  } else if (k == 1 && literals.size() <= most_in_pairs) {
    in_pairs(literals, *this);
  } else {
    sequential_counter(k, literals, next, *this);
  }
}

void count(std::span<const int> sums, std::span<const int> literals, int& next, ClauseSink& sink) {
  const std::size_t m = literals.size();
  const std::size_t k = std::min(sums.size(), m);
  std::vector<int> before;  // s(i - 1, j)
  for (std::size_t i = 1; i <= m; ++i) {
    const int x = literals[i - 1];
    std::vector<int> after;
    for (std::size_t j = 0; j < std::min(i, k); ++j) after.push_back(i == m ? sums[j] : next++);
    for (std::size_t j = 0; j < after.size(); ++j) {
      if (j == 0) {
        sink.clause({-x, after[0]});
      } else {
        sink.clause({-x, -before[j - 1], after[j]});
      }
      if (j < before.size()) sink.clause({-before[j], after[j]});
    }
    if (i > sums.size()) sink.clause({-x, -before.back()});
    before = std::move(after);
  }
}

}  // namespace quadrille::searching
