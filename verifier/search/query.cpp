// Idea: one formula serves several numbers of steps, by assumptions. A schedule of T - 1 steps is a schedule of T
// steps without any hop that is too late for T - 1, so a clause that the solver learns about one number holds for the
// other.
//
//   for 5 to 7 steps: deadline(6) forbids the hops of use in 7 steps only; deadline(5) forbids those of use in 6 only,
//   and implies deadline(6). T = 5 is asked under deadline(5), T = 7 under no assumption
//
// Cost: a literal for each T but the last, and a clause for each late hop. Source: verifier/FORMULA.md, Several numbers
// of steps.
#include "verifier/search/query.h"

#include <utility>

#include "model/limits/resident_memory.h"

namespace quadrille::searching {
namespace {

constexpr std::uint64_t large_solver = std::uint64_t{1} << 26;  // bytes

// CaDiCaL's memory, as measured; it includes the variables that a clause brings, and learnt clauses.
constexpr std::uint64_t bytes_per_clause = 150;
constexpr std::uint64_t bytes_per_literal = 10;
constexpr std::uint64_t between_looks = 1U << 14;  // clauses

// MeteredClauses stands between a formula and its solver. It counts the clauses that pass, and stops the writing of a
// formula that would be too large: it throws Ended, with Reason::limit when they take more than `room` bytes in a
// solver. It checks this both by a rule of thumb, which gives the same question the same answer, and by measurement,
// which is true of the process. A solver needs more memory than its clauses: watches, learnt clauses, and a second
// copy of all clauses while it compacts them. So a formula may take only a part of the room (SearchDriver::room_for).
class MeteredClauses final : public ClauseSink {
 public:
  // `counts`: the solver handles "at most" constraints by itself. Keeps references.
  MeteredClauses(ClauseSink& to, bool counts, std::uint64_t room, Watch& watch)
      : to_(to), counts_(counts), room_(room), watch_(watch), used_before_(watch.used()) {}

  using ClauseSink::clause;
  void clause(std::span<const int> literals) override {
    pass(literals.size());
    to_.clause(literals);
  }

  void at_most(std::uint64_t k, std::span<const int> literals, int& next) override {
    if (!counts_) {
      ClauseSink::at_most(k, literals, next);
    } else if (literals.size() > k) {
      pass(literals.size());
      to_.at_most(k, literals, next);
    }
  }

  std::uint64_t clauses() const { return clauses_; }
  std::uint64_t bytes() const { return clauses_ * bytes_per_clause + literals_ * bytes_per_literal; }

 private:
  void pass(std::size_t literals) {
    ++clauses_;
    literals_ += literals;
    if (bytes() > room_) throw Ended{Reason::limit};
    if (clauses_ % between_looks != 0) return;
    watch_.require_open();
    const std::uint64_t used = watch_.used();
    if (used > used_before_ && used - used_before_ > room_) throw Ended{Reason::limit};
  }

  ClauseSink& to_;
  bool counts_;
  std::uint64_t room_;
  Watch& watch_;
  std::uint64_t used_before_;
  std::uint64_t clauses_ = 0;
  std::uint64_t literals_ = 0;
};

}  // namespace

Query::Query(const SearchProblem& problem, StepSpan steps, const Group& group, PathChoice paths, const Options& options,
             Watch& watch)
    : steps_(steps),
      group_(group),
      watch_(watch),
      paths_(paths),
      formula_(problem.formula(steps.last, group, paths, watch)) {
  std::function<bool(std::string_view)> proof;
  // Only a formula about all schedules refutes anything, so only its proof is worth keeping.
  if (options.evidence && exact()) proof = [this](std::string_view text) { return keep(text); };
  solver_ = options.engine == Engine::z3 ? make_z3() : make_cadical(std::move(proof));
  MeteredClauses metered(*solver_, options.engine == Engine::z3, options.room, watch);
  variables_ = formula_->write(metered);
  add_deadlines(metered);
  clauses_ = metered.clauses();
  bytes_ = metered.bytes();
}

// Appends the next piece of a proof; returns whether there was room for it. A string that grows takes up to three
// times its size.
bool Query::keep(std::string_view proof) {
  const std::size_t needed = proof_.size() + proof.size();
  if (needed <= proof_.capacity() || 2 * needed < watch_.room()) {
    proof_ += proof;
    return true;
  }
  proof_ = {};
  return false;
}

// Adds that deadline(T) forbids the hops that are too late for T steps, and implies deadline(T + 1).
void Query::add_deadlines(ClauseSink& sink) {
  deadlines_ = variables_ + 1;
  for (std::uint32_t T = steps_.first; T < steps_.last; ++T) {
    for (const int hop : formula_->last_hops(T + 1)) sink.clause({-deadline(T), -hop});
    if (const int later = deadline(T + 1)) sink.clause({-deadline(T), later});
    ++variables_;
  }
}

Answer Query::solve(std::uint32_t T, std::uint64_t conflicts) {
  const Answer answer = solver_->solve({&watch_, conflicts}, deadline(T));
  if (answer == Answer::satisfiable) enough_ = T;
  if (answer == Answer::unsatisfiable) too_few_ = T;
  given_up_ = answer == Answer::unknown && watch_.reached() == Reason::limit;
  // The solver may be large. It goes when no question is left for it, or when there is no room for it.
  if (too_few_ == steps_.last || given_up_) release();
  return answer;
}

void Query::release() {
  const bool large = bytes_ > large_solver;
  solver_.reset();
  bytes_ = 0;
  if (large || given_up_) return_freed_memory();
}

std::string Query::schedules() const {
  std::string which = "schedules";
  if (paths_ == PathChoice::shortest) which += " on shortest paths";
  if (paths_ == PathChoice::once) which += " that send each partial reduction once";
  if (group_.elements.size() > 1) return which + " invariant under " + group_.name;
  return paths_ == PathChoice::all ? "all schedules" : which;
}

}  // namespace quadrille::searching
