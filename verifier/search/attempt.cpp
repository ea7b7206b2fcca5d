#include "verifier/search/attempt.h"

#include <utility>

#include "verifier/search/gate.h"

namespace quadrille::searching {

Attempt::Attempt(const Problem& problem, std::uint32_t T, const Group& group, Ways ways, std::uint64_t room,
                 const SearchOptions& options)
    : group_(group), ways_(ways), formula_(problem.formula(T, group, ways)) {
  std::function<void(std::string_view)> proof;
  if (options.evidence && exact()) proof = [this](std::string_view text) { proof_ += text; };
  solver_ = options.z3 ? make_z3() : make_cadical(std::move(proof));
  Gate gate(*solver_, options.z3, room, options.cancelled);
  variables_ = formula_->write(gate);
  clauses_ = gate.clauses();
  bytes_ = gate.bytes();
}

Answer Attempt::solve(const SolverLimits& limits) {
  answer_ = solver_->solve(limits);
  if (answer_ == Answer::unsatisfiable) {  // the solver may be large, and has said all that it can
    solver_.reset();
    bytes_ = 0;
  }
  return answer_;
}

std::string Attempt::schedules() const {
  const std::string which = ways_ == Ways::all ? "schedules" : "schedules on shortest ways";
  if (group_.elements.size() > 1) return which + " invariant under " + group_.name;
  return ways_ == Ways::all ? "all schedules" : which;
}

}  // namespace quadrille::searching
