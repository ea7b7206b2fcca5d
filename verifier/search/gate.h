// Between a formula and its solver: counts what passes, and ends the writing of formulas that would be too large.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "verifier/search/clauses.h"

namespace quadrille::searching {

// Thrown by Gate and Orbits.
enum class Abandoned : std::uint8_t { too_large, cancelled };

// Passes clauses on. Throws Abandoned when those that passed take more than `room` bytes in a solver, by a rule of
// thumb, or `cancelled`, which is asked now and then, says that nobody waits for them any more.
class Gate final : public ClauseSink {
 public:
  // `counts`: the solver says "at most" in its own ways.
  Gate(ClauseSink& to, bool counts, std::uint64_t room, std::function<bool()> cancelled);

  using ClauseSink::clause;
  void clause(std::span<const int> literals) override;
  void at_most(std::uint64_t k, std::span<const int> literals, int& next) override;

  std::uint64_t clauses() const { return clauses_; }
  std::uint64_t bytes() const;

 private:
  void pass(std::size_t literals);

  ClauseSink& to_;
  bool counts_;
  std::uint64_t room_;
  std::function<bool()> cancelled_;
  std::uint64_t clauses_ = 0;
  std::uint64_t literals_ = 0;
};

}  // namespace quadrille::searching
