// Clauses, and the interface that takes them.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

namespace quadrille::searching {

// Takes the meaning of the variables `variable`, `variable` + 1, … in the steps `first` … `last`.
using NameVariables =
    std::function<void(int variable, std::int64_t first, std::int64_t last, std::string_view meaning)>;

// Takes the clauses of a formula. A literal is a variable's number, from 1, or its negative.
class ClauseSink {
 public:
  virtual ~ClauseSink() = default;
  virtual void clause(std::span<const int> literals) = 0;
  void clause(std::initializer_list<int> literals) { clause(std::span(literals.begin(), literals.size())); }
  // Adds that at most k of the literals are true. `next` is the first free variable before, and the first that is
  // still free after. The default adds the clauses of verifier/FORMULA.md.
  virtual void at_most(std::uint64_t k, std::span<const int> literals, int& next);
};

// Adds that sums[j - 1] is true if j or more of the literals are true, and that no more literals are true than there
// are sums (verifier/ROUNDS_FORMULA.md, Volume). `next` is as above. Requires sums, if there are literals.
void count(std::span<const int> sums, std::span<const int> literals, int& next, ClauseSink& sink);

}  // namespace quadrille::searching
