// Problem is the interface between the search for a schedule (search_driver.h) and a kind of collective. It writes
// formulas, makes tables from a solver's assignments, and offers heuristics that need no solver.
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
  // Writes the clauses, and returns the number of variables. May be called once.
  virtual int write(ClauseSink& sink) = 0;
  // Returns the hops that are of use in schedules of T steps, but not in those of T - 1.
  virtual std::vector<int> last_hops(std::uint32_t T) const = 0;
  // Tells the meaning of the variables, except for counters, in no particular order. Requires the trivial group.
  virtual void name_variables(const NameVariables& say) const = 0;
  // Returns the schedule of an assignment: the hops that are true, without a choice of lanes.
  virtual std::vector<StepRow> rows(const std::function<bool(int variable)>& is_true) const = 0;
  // Returns the table of an assignment; nothing where the assignment makes none, which happens in rounds (rounds.h)
  // only.
  virtual std::optional<SendTable> table(const SearchProblem& problem,
                                         const std::function<bool(int variable)>& is_true) const;
};

// The schedules that a formula is about: all; those whose packets take shortest paths only; or, of messages that join,
// those in which each node sends its part of a value once, and all senders of a message have a part of each of its
// values.
enum class PathChoice : std::uint8_t { all, shortest, once };

class SearchProblem {
 public:
  // Takes a schedule and its method; returns whether another schedule may still be of use.
  using Consider = std::function<bool(SendTable table, Method method)>;

  virtual ~SearchProblem() = default;

  // Returns the groups under which formulas may be asked, largest first, without the trivial one.
  virtual std::vector<Group> groups() const = 0;
  // Returns a smaller set of schedules than all, if it is worth formulas of its own.
  virtual std::optional<PathChoice> fewer_paths() const { return std::nullopt; }
  // Returns roughly the number of variables in the formula of T steps without a group; below, the memory of each.
  virtual std::uint64_t size(std::uint32_t T, PathChoice paths) const = 0;
  virtual std::uint64_t bytes_each() const = 0;
  virtual std::string size_text(std::uint64_t size) const = 0;  // "123 possible hops"
  // Keeps references to this problem and to the group. May throw Ended (watch.h).
  virtual std::unique_ptr<ScheduleFormula> formula(std::uint32_t T, const Group& group, PathChoice paths,
                                                   Watch& watch) const = 0;
  virtual FormulaKind about() const = 0;
  // Returns why there is no schedule of T steps if the formula has no solution.
  virtual std::string refutation(std::uint32_t T) const = 0;
  // Whether every solution of a formula is a schedule.
  virtual bool exact() const { return true; }

  // Returns the table of the rows of an assignment, without rows that serve no demand.
  virtual SendTable table(std::string name, std::vector<StepRow> rows) const = 0;
  // Whether the table meets the goal's demands beyond the number of steps. The checker does not judge these.
  virtual bool keeps_to_goal(const SendTable& table) const = 0;
  // Offers schedules, one after another, while they are of use; `lower_bound` serves to estimate their work, and
  // schedules that are too much work are not offered.
  virtual void construct(std::uint64_t lower_bound, const Consider& consider) const = 0;
};

}  // namespace quadrille::searching
