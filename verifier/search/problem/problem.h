// Problem: what the search for a schedule (search_driver.h) has to know of a kind of collective: how to write formulas
// about it, how to make tables of what a solver finds, and heuristics that need no solver.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/send_table.h"
#include "verifier/bounds.h"
#include "verifier/search.h"
#include "verifier/search/problem/rows.h"
#include "verifier/search/problem/symmetry.h"
#include "verifier/search/solver/clauses.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

class SearchProblem;

// The formula of "there is a schedule of T steps", or of "there is one that is invariant under a group".
class ScheduleFormula {
 public:
  virtual ~ScheduleFormula() = default;
  // Writes the clauses. The result is the number of variables. To be called once.
  virtual int write(ClauseSink& sink) = 0;
  // The hops that are of use in schedules of T steps, but not in those of T - 1.
  virtual std::vector<int> last_hops(std::uint32_t T) const = 0;
  // What the variables mean, but for counters, in no particular order. Requires the trivial group.
  virtual void name_variables(const NameVariables& say) const = 0;
  // The schedule of an assignment: the hops that are true, lanes not chosen yet.
  virtual std::vector<StepRow> rows(const std::function<bool(int variable)>& is_true) const = 0;
  // The table of an assignment. Nothing where the assignment makes none: only in rounds (rounds.h).
  virtual std::optional<SendTable> table(const SearchProblem& problem,
                                         const std::function<bool(int variable)>& is_true) const;
};

// Which schedules a formula is about: all; those whose packets take shortest paths only; or, of messages that join,
// those in which each node sends what it has of a value once, and all senders of a message have something of each of
// its values.
enum class PathChoice : std::uint8_t { all, shortest, once };

class SearchProblem {
 public:
  // Takes a schedule and what it is called; says whether another may still be of use.
  using Consider = std::function<bool(SendTable table, Method method)>;

  virtual ~SearchProblem() = default;

  // Groups that may be asked for, largest first; not the trivial one.
  virtual std::vector<Group> groups() const = 0;
  // Fewer schedules than all, if they are worth formulas of their own.
  virtual std::optional<PathChoice> fewer_paths() const { return std::nullopt; }
  // About so many variables has the formula of T steps, without a group; and so much memory each of them takes.
  virtual std::uint64_t size(std::uint32_t T, PathChoice paths) const = 0;
  virtual std::uint64_t bytes_each() const = 0;
  virtual std::string size_text(std::uint64_t size) const = 0;  // "123 possible hops"
  // Keeps references to this problem and to the group. May throw Ended (watch.h).
  virtual std::unique_ptr<ScheduleFormula> formula(std::uint32_t T, const Group& group, PathChoice paths,
                                                   Watch& watch) const = 0;
  virtual FormulaKind about() const = 0;
  // Why there is no schedule of T steps if the formula has no solution.
  virtual std::string refutation(std::uint32_t T) const = 0;
  // Whether every solution of a formula is a schedule.
  virtual bool exact() const { return true; }

  // The table of the rows of an assignment, without those that serve nothing.
  virtual SendTable table(std::string name, std::vector<StepRow> rows) const = 0;
  // Whether the table keeps to what the goal asks for beyond the number of steps. The checker does not look at that.
  virtual bool keeps_to_goal(const SendTable& table) const = 0;
  // Offers schedules, one after another, while they are of use; `lower_bound` tells how much work they may be.
  virtual void construct(std::uint64_t lower_bound, const Consider& consider) const = 0;
};

}  // namespace quadrille::searching
