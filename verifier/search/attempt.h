// A formula of so many steps, for schedules invariant under one group, in a solver that keeps what it has learnt. It
// serves for a few steps less, too: for each number of steps T there is a literal that forbids all hops that are too
// late for it, and the solver is asked under the assumption that it is true. A schedule of T steps is one of more, so
// that what has been learnt at one T is right at all.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "verifier/search/problem.h"
#include "verifier/search/solver.h"

namespace quadrille::searching {

class Attempt {
 public:
  struct Range {
    std::uint32_t first;
    std::uint32_t last;
    bool has(std::uint32_t T) const { return first <= T && T <= last; }
  };

  // For schedules of `steps.first` to `steps.last` steps. Throws Abandoned if it would take more than `room` bytes of
  // memory, or is cancelled. Keeps a reference to the group. A proof is kept of what all schedules cannot do, if
  // options.evidence is set, and only for `steps.last` steps.
  Attempt(const Problem& problem, Range steps, const Group& group, Ways ways, std::uint64_t room,
          const SearchOptions& options);

  // Whether there is such a schedule of T steps. Requires open(T).
  Answer solve(std::uint32_t T, const SolverLimits& limits);

  // Requires the answer `satisfiable`.
  std::vector<StepRow> rows() const {
    return formula_->rows([this](int variable) { return solver_->is_true(variable); });
  }

  // Whether it is about all schedules; and about which, in words.
  bool exact() const { return ways_ == Ways::all && group_.elements.size() == 1; }
  std::string schedules() const;
  bool open(std::uint32_t T) const { return steps_.has(T) && T > too_few_ && T < enough_; }
  int variables() const { return variables_; }
  std::uint64_t clauses() const { return clauses_; }
  std::uint64_t bytes() const { return bytes_; }  // of memory, about
  const std::string& proof() const { return proof_; }

 private:
  void add_deadlines(ClauseSink& sink);
  // That the schedule takes T steps; 0, always true, if it is steps_.last.
  int deadline(std::uint32_t T) const { return T < steps_.last ? deadlines_ + static_cast<int>(T - steps_.first) : 0; }

  Range steps_;
  const Group& group_;
  Ways ways_;
  std::unique_ptr<ScheduleFormula> formula_;
  std::string proof_;
  std::unique_ptr<Solver> solver_;
  std::uint64_t clauses_ = 0;
  std::uint64_t bytes_ = 0;
  int variables_ = 0;
  int deadlines_ = 0;  // the first one's variable
  std::uint32_t too_few_ = 0;
  std::uint32_t enough_ = std::numeric_limits<std::uint32_t>::max();
};

}  // namespace quadrille::searching
