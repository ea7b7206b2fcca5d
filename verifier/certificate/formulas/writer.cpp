// Idea: number variables, drop false literals, leave out clauses with a true one; and "at most k" by Sinz's sequential
// counter, where s(i, j) says that j or more of the first i literals are true.
//
//   at most 1 of 4: the 6 pairs; at most 1 of 5: 4 new variables, 11 clauses
//
// Cost: at most k of m takes (m - 1) k variables and about 2 m k clauses. (C. Sinz, Towards an Optimal CNF Encoding of
// Boolean Cardinality Constraints, CP 2005; verifier/FORMULA.md, At most k.)
#include "verifier/certificate/formulas/writer.h"

#include <algorithm>
#include <utility>

namespace quadrille::certificate {
namespace {

constexpr std::uint64_t most_variables = 1 << 28;  // numbers beyond are refused

}  // namespace

// The first of so many variables.
std::int32_t Writer::new_variables(std::uint64_t count) {
  stopped_ = stopped_ || count > most_variables - static_cast<std::uint64_t>(last_variable_);
  if (stopped_) return false_literal;
  const std::int32_t first = last_variable_ + 1;
  last_variable_ += static_cast<std::int32_t>(count);
  return first;
}

Series Writer::series(std::int64_t first, std::int64_t last) {
  work_.spend(1);
  if (last < first) return {};
  const auto count = static_cast<std::uint64_t>(last - first + 1);
  const std::int32_t variable = new_variables(count);
  if (stopped_) return {};
  return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count), variable};
}

void Writer::clause(Literals literals) {
  work_.spend(literals.size() + 1);
  if (stopped_ || std::find(literals.begin(), literals.end(), true_literal) != literals.end()) return;
  std::erase(literals, false_literal);
  ++clauses_;
  stopped_ = !take_(literals);
}

void Writer::same_if(std::int32_t condition, std::int32_t a, std::int32_t b) {
  clause({-condition, -a, b});
  clause({-condition, a, -b});
}

void Writer::at_most(std::uint32_t k, Literals literals) {
  work_.spend(literals.size() + 1);
  std::erase(literals, false_literal);
  const std::size_t m = literals.size();
  if (m <= k) return;
  if (k == 0) {
    for (const std::int32_t x : literals) clause({-x});
  } else if (k == 1 && m <= 4) {
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = i + 1; j < m; ++j) clause({-literals[i], -literals[j]});
    }
  } else {
    sequential_counter(k, literals);
  }
}

// The code counts from 1, as the page does: x(i), s(i, j).
void Writer::sequential_counter(std::uint32_t k, const Literals& literals) {
  const std::size_t m = literals.size();
  const std::int32_t first = new_variables(std::uint64_t{m - 1} * k);
  if (stopped_) return;
  const auto x = [&](std::size_t i) { return literals[i - 1]; };
  const auto s = [&](std::size_t i, std::size_t j) { return first + static_cast<std::int32_t>((i - 1) * k + j - 1); };
  clause({-x(1), s(1, 1)});
  for (std::size_t j = 2; j <= k; ++j) clause({-s(1, j)});
  for (std::size_t i = 2; i <= m - 1; ++i) {
    clause({-x(i), s(i, 1)});
    clause({-s(i - 1, 1), s(i, 1)});
    for (std::size_t j = 2; j <= k; ++j) {
      clause({-x(i), -s(i - 1, j - 1), s(i, j)});
      clause({-s(i - 1, j), s(i, j)});
    }
    clause({-x(i), -s(i - 1, k)});
  }
  clause({-x(m), -s(m - 1, k)});
}

// From 1, as on the page: s[i][j], where s[m][j] is a sum.
void Writer::count(const Literals& sums, const Literals& literals) {
  const std::size_t m = literals.size();
  const std::size_t k = std::min(sums.size(), m);
  std::vector<Literals> s(m + 1);
  for (std::size_t i = 1; i <= m && !stopped_; ++i) {
    s[i].push_back(true_literal);  // none or more
    for (std::size_t j = 1; j <= std::min(i, k); ++j) s[i].push_back(i == m ? sums[j - 1] : new_variables(1));
    work_.take(s[i].size(), sizeof(std::int32_t));
  }
  if (stopped_) return;
  s[0].push_back(true_literal);
  for (std::size_t i = 1; i <= m && !stopped_; ++i) {
    const std::int32_t x = literals[i - 1];
    for (std::size_t j = 1; j < s[i].size(); ++j) {
      clause({-x, -s[i - 1][j - 1], s[i][j]});
      if (j < s[i - 1].size()) clause({-s[i - 1][j], s[i][j]});
    }
    if (i > sums.size()) clause({-x, -s[i - 1][k]});
  }
}

}  // namespace quadrille::certificate
