// MeteredClauses: between a formula and its solver, counts what passes, and ends the writing of formulas that would be
// too large.
//
// A solver needs more than the clauses that it is given: watches, what it learns, and a second copy of all clauses
// while it moves them together. So a formula may take a part of the room (SearchDriver::room_for) at most, by a rule of
// thumb (which makes the same question get the same answer) and as measured (which makes it true).
#pragma once

#include <cstdint>
#include <span>

#include "verifier/search/solver/clauses.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

// Passes clauses on. Throws Ended: with Reason::limit when those that passed take more than `room` bytes in a solver.
class MeteredClauses final : public ClauseSink {
 public:
  // `counts`: the solver says "at most" in its own ways. Keeps references.
  MeteredClauses(ClauseSink& to, bool counts, std::uint64_t room, Watch& watch);

  using ClauseSink::clause;
  void clause(std::span<const int> literals) override;
  void at_most(std::uint64_t k, std::span<const int> literals, int& next) override;

  std::uint64_t clauses() const { return clauses_; }
  std::uint64_t bytes() const;  // that the solver takes, about

 private:
  void pass(std::size_t literals);

  ClauseSink& to_;
  bool counts_;
  std::uint64_t room_;
  Watch& watch_;
  std::uint64_t used_before_;
  std::uint64_t clauses_ = 0;
  std::uint64_t literals_ = 0;
};

}  // namespace quadrille::searching
