// SearchProblem says what the search driver (search_driver.h) needs to know of a kind of collective: how to write
// formulas about it, how to make tables of a solver's solutions, and which heuristics need no solver.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/limits/watch.h"
#include "model/send_table.h"
#include "verifier/bounds.h"
#include "verifier/search.h"
#include "verifier/search/problem/rows.h"
#include "verifier/search/problem/symmetry.h"
#include "verifier/search/solver/solver.h"

namespace quadrille::searching {

class SearchProblem;

// A ScheduleFormula says "there is a schedule of T steps", or "there is one that is invariant under a group".
class ScheduleFormula {
 public:
  virtual ~ScheduleFormula() = default;
  // Writes the clauses. Returns the number of variables. Requires that it has not been called before.
  virtual int write(ClauseSink& sink) = 0;
  // The variables of the hops that are of use in schedules of T steps, but not in those of T - 1.
  virtual std::vector<int> last_hops(std::uint32_t T) const = 0;
  // Names the variables, but for counters, in no particular order. Requires the trivial group.
  virtual void name_variables(const NameVariables& say) const = 0;
  // The schedule of an assignment: the hops that are true. Their lanes are not chosen yet.
  virtual std::vector<StepRow> rows(const std::function<bool(int variable)>& is_true) const = 0;
  // The table of an assignment. Nothing where the assignment gives none, which happens only in rounds (rounds.h).
  virtual std::optional<SendTable> table(const SearchProblem& problem,
                                         const std::function<bool(int variable)>& is_true) const;
};

// The schedules that a formula is about: all; those whose packets take shortest paths only; or, for messages that
// join, those in which each node sends its partial reduction of a value once, and all senders of a message hold
// something of each of its values.
enum class PathChoice : std::uint8_t { all, shortest, once };

class SearchProblem {
 public:
  // Takes a schedule and the method that found it; returns whether another schedule may still be of use.
  using Consider = std::function<bool(SendTable table, Method method)>;

  virtual ~SearchProblem() = default;

  // The groups that formulas may be asked for, largest first, without the trivial one.
  virtual std::vector<Group> groups() const { return {}; }
  // A smaller set of schedules, if it is worth formulas of its own.
  virtual std::optional<PathChoice> fewer_paths() const { return std::nullopt; }
  // The approximate number of variables in the formula of T steps, without a group; bytes_each() is the memory that
  // each takes.
  virtual std::uint64_t size(std::uint32_t T, PathChoice paths) const = 0;
  virtual std::uint64_t bytes_each() const = 0;
  virtual std::string size_text(std::uint64_t size) const = 0;  // "123 possible hops"
  // Keeps references to this problem and to the group. May throw Ended (watch.h).
  virtual std::unique_ptr<ScheduleFormula> formula(std::uint32_t T, const Group& group, PathChoice paths,
                                                   Watch& watch) const = 0;
  virtual FormulaKind about() const = 0;
  // The reason why there is no schedule of T steps if the formula has no solution.
  virtual std::string refutation(std::uint32_t T) const = 0;
  // Whether every solution of a formula is a schedule.
  virtual bool exact() const { return true; }

  // The table of an assignment's rows, without rows that serve nothing.
  virtual SendTable table(std::string name, std::vector<StepRow> rows) const = 0;
  // Whether the table meets the goal's demands beyond the number of steps. The checker does not judge these.
  virtual bool keeps_to_goal(const SendTable& /*table*/) const { return true; }
  // Offers schedules, one after another, until `consider` returns false. `lower_bound` tells how much work they may
  // take.
  virtual void construct(std::uint64_t lower_bound, const Consider& consider) const = 0;
};

inline std::optional<SendTable> ScheduleFormula::table(const SearchProblem& problem,
                                                       const std::function<bool(int variable)>& is_true) const {
  return problem.table("search", rows(is_true));
}

// The formula, written with `formula.write`, as DIMACS CNF, the format that all solvers and proof checkers read
// (formulas/dimacs.cpp). Comments begin with `title` and state the meaning of each variable.
std::string dimacs_text(ScheduleFormula& formula, std::string_view title);

}  // namespace quadrille::searching
