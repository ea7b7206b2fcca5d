// MeteredClauses stands between a formula and its solver. It counts the clauses that pass, and ends the writing of
// formulas that would be too large.
//
// A solver needs more memory than its input clauses: watches, learnt clauses, and a second copy of all clauses while it
// compacts them. A formula may therefore take only a part of the room (SearchDriver::room_for): by a rule of thumb, so
// that the same question gets the same answer, and as measured, so that the limit holds in fact.
#pragma once

#include <cstdint>
#include <span>

#include "verifier/search/solver/clauses.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

// Passes clauses on. Throws Ended, with Reason::limit when the passed clauses take more than `room` bytes in a solver.
class MeteredClauses final : public ClauseSink {
 public:
  // `counts`: the solver encodes "at most" itself. Keeps references.
  MeteredClauses(ClauseSink& to, bool counts, std::uint64_t room, Watch& watch);

  using ClauseSink::clause;
  void clause(std::span<const int> literals) override;
  void at_most(std::uint64_t k, std::span<const int> literals, int& next) override;

  std::uint64_t clauses() const { return clauses_; }
  std::uint64_t bytes() const;  // roughly the memory that the solver takes

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
