// MeteredClauses stands between a formula and its solver. It counts the clauses that pass, and stops the writing of a
// formula that would be too large.
//
// A solver needs more memory than its clauses: watches, learnt clauses, and a second copy of all clauses while it
// compacts them. So a formula may take only a part of the room (SearchDriver::room_for). MeteredClauses checks this
// both by a rule of thumb, which gives the same question the same answer, and by measurement, which is true of the
// process.
#pragma once

#include <cstdint>
#include <span>

#include "verifier/search/solver/clauses.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

// Passes clauses on. Throws Ended, with Reason::limit when the clauses that passed take more than `room` bytes in a
// solver.
class MeteredClauses final : public ClauseSink {
 public:
  // `counts`: the solver handles "at most" constraints by itself. Keeps references.
  MeteredClauses(ClauseSink& to, bool counts, std::uint64_t room, Watch& watch);

  using ClauseSink::clause;
  void clause(std::span<const int> literals) override;
  void at_most(std::uint64_t k, std::span<const int> literals, int& next) override;

  std::uint64_t clauses() const { return clauses_; }
  std::uint64_t bytes() const;  // that the solver takes, estimated

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
