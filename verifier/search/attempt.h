// A formula at one number of steps, for schedules invariant under one group, in a solver that keeps what it has learnt.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "verifier/search/problem.h"
#include "verifier/search/solver.h"

namespace quadrille::searching {

class Attempt {
 public:
  // Throws Abandoned if it would take more than `room` bytes of memory, or is cancelled. Keeps a reference to the
  // group. A proof is kept of what all schedules cannot do, if options.evidence is set.
  Attempt(const Problem& problem, std::uint32_t T, const Group& group, Ways ways, std::uint64_t room,
          const SearchOptions& options);

  Answer solve(const SolverLimits& limits);

  // Requires the answer `satisfiable`.
  std::vector<StepRow> rows() const {
    return formula_->rows([this](int variable) { return solver_->is_true(variable); });
  }

  // Whether it is about all schedules; and about which, in words.
  bool exact() const { return ways_ == Ways::all && group_.elements.size() == 1; }
  std::string schedules() const;
  bool open() const { return answer_ == Answer::unknown; }
  int variables() const { return variables_; }
  std::uint64_t clauses() const { return clauses_; }
  std::uint64_t bytes() const { return bytes_; }  // of memory, about
  const std::string& proof() const { return proof_; }

 private:
  const Group& group_;
  Ways ways_;
  std::unique_ptr<ScheduleFormula> formula_;
  std::string proof_;
  std::unique_ptr<Solver> solver_;
  std::uint64_t clauses_ = 0;
  std::uint64_t bytes_ = 0;
  int variables_ = 0;
  Answer answer_ = Answer::unknown;
};

}  // namespace quadrille::searching
