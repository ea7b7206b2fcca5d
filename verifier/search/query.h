// A Query is a formula for several numbers of steps, in an incremental solver that keeps what it learns. The formula
// is about schedules that are invariant under one group. It serves for a few steps fewer, too: each smaller T has a
// literal that forbids all hops that are too late for T, and the solver is asked under the assumption that this
// literal is true. A schedule of T steps is also one of more steps, so a clause that is learnt at one T is right at
// every T.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "verifier/search/problem/problem.h"
#include "verifier/search/solver/solver.h"

namespace quadrille::searching {

class Query {
 public:
  struct StepSpan {
    std::uint32_t first;
    std::uint32_t last;
    bool has(std::uint32_t T) const { return first <= T && T <= last; }
  };

  struct Options {
    Engine engine = Engine::cadical;
    bool evidence = false;   // keep a proof that no schedule exists; exact() queries of `steps.last` steps only
    std::uint64_t room = 0;  // bytes of memory that the formula may take
  };

  // A query about schedules of `steps.first` to `steps.last` steps. Throws Ended if the formula would take more than
  // the room, or when the watch has reached its limits. Keeps references to the group and the watch.
  Query(const SearchProblem& problem, StepSpan steps, const Group& group, PathChoice paths, const Options& options,
        Watch& watch);

  // Whether there is such a schedule of T steps. Unknown after `conflicts` conflicts (0: no limit), or when the watch
  // has reached its limits. If the limit is that of memory, the query gives its solver up. Requires open(T).
  Answer solve(std::uint32_t T, std::uint64_t conflicts);

  // Requires the answer `satisfiable`.
  std::vector<StepRow> rows() const {
    return formula_->rows([this](int variable) { return solver_->is_true(variable); });
  }
  std::optional<SendTable> table(const SearchProblem& problem) const {
    return formula_->table(problem, [this](int variable) { return solver_->is_true(variable); });
  }

  // Whether the query is about all schedules; schedules() names in words those that it is about.
  bool exact() const { return paths_ == PathChoice::all && group_.elements.size() == 1; }
  std::string schedules() const;
  bool open(std::uint32_t T) const { return solver_ && steps_.has(T) && T > too_few_ && T < enough_; }
  int variables() const { return variables_; }
  std::uint64_t clauses() const { return clauses_; }
  std::uint64_t bytes() const { return bytes_; }  // of memory, estimated
  // The proof of the answer `unsatisfiable`. It is empty, too, if it did not fit into memory.
  const std::string& proof() const { return proof_; }
  bool given_up() const { return given_up_; }  // whether the solver was given up for want of memory

 private:
  void add_deadlines(ClauseSink& sink);
  // The literal that says that the schedule takes at most T steps; 0, which stands for no assumption, if T is
  // steps_.last.
  int deadline(std::uint32_t T) const { return T < steps_.last ? deadlines_ + static_cast<int>(T - steps_.first) : 0; }

  bool keep(std::string_view proof);
  void release();

  StepSpan steps_;
  const Group& group_;
  Watch& watch_;
  PathChoice paths_;
  std::unique_ptr<ScheduleFormula> formula_;
  std::string proof_;
  std::unique_ptr<Solver> solver_;
  std::uint64_t clauses_ = 0;
  std::uint64_t bytes_ = 0;
  int variables_ = 0;
  int deadlines_ = 0;  // the variable of the first deadline
  bool given_up_ = false;
  std::uint32_t too_few_ = 0;
  std::uint32_t enough_ = std::numeric_limits<std::uint32_t>::max();
};

}  // namespace quadrille::searching
