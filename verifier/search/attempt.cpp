#include "verifier/search/attempt.h"

#include <utility>

#include "verifier/search/gate.h"

namespace quadrille::searching {

Attempt::Attempt(const Problem& problem, Range steps, const Group& group, Ways ways, std::uint64_t room,
                 const SearchOptions& options)
    : steps_(steps), group_(group), ways_(ways), formula_(problem.formula(steps.last, group, ways)) {
  std::function<void(std::string_view)> proof;
  if (options.evidence && exact()) proof = [this](std::string_view text) { proof_ += text; };
  solver_ = options.z3 ? make_z3() : make_cadical(std::move(proof));
  Gate gate(*solver_, options.z3, room, options.cancelled);
  variables_ = formula_->write(gate);
  add_deadlines(gate);
  clauses_ = gate.clauses();
  bytes_ = gate.bytes();
}

// deadline(T) forbids what is too late for T steps, and implies deadline(T + 1).
void Attempt::add_deadlines(ClauseSink& sink) {
  deadlines_ = variables_ + 1;
  for (std::uint32_t T = steps_.first; T < steps_.last; ++T) {
    for (const int hop : formula_->last_hops(T + 1)) sink.clause({-deadline(T), -hop});
    if (const int later = deadline(T + 1)) sink.clause({-deadline(T), later});
    ++variables_;
  }
}

Answer Attempt::solve(std::uint32_t T, const SolverLimits& limits) {
  const Answer answer = solver_->solve(limits, deadline(T));
  if (answer == Answer::satisfiable) enough_ = T;
  if (answer == Answer::unsatisfiable) too_few_ = T;
  if (too_few_ == steps_.last) {  // the solver may be large, and has said all that it can
    solver_.reset();
    bytes_ = 0;
  }
  return answer;
}

std::string Attempt::schedules() const {
  const std::string which = ways_ == Ways::all ? "schedules" : "schedules on shortest ways";
  if (group_.elements.size() > 1) return which + " invariant under " + group_.name;
  return ways_ == Ways::all ? "all schedules" : which;
}

}  // namespace quadrille::searching
