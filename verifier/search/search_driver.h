// SearchDriver runs one search: bounds first, then heuristics, then formulas.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/limits/watch.h"
#include "verifier/check.h"
#include "verifier/search.h"
#include "verifier/search/heuristics/injection.h"
#include "verifier/search/make_problem.h"
#include "verifier/search/problem/problem.h"
#include "verifier/search/query.h"
#include "verifier/search/related.h"

namespace quadrille::searching {

class SearchDriver {
 public:
  // Keeps references to the arguments, which only run() uses.
  SearchDriver(const Fabric& fabric, const Collective& collective, const SearchGoal& goal, const SearchOptions& options)
      : fabric_(fabric),
        collective_(collective),
        goal_(goal),
        options_(options),
        watch_(options.limits),
        related_(fabric, collective) {}

  // Requires that it has not been called before.
  SearchResult run();

 private:
  // Queries about the same numbers of steps.
  struct Queries {
    Query::StepSpan steps;
    std::vector<std::unique_ptr<Query>> each;
  };

  void find_bounds();
  bool rule_out_injection();
  void find_flow_bound(std::uint64_t at_least);
  void rule_out(const Bound& bound, std::uint32_t T);
  bool settled();  // whether more work could not change the verdict
  bool ended() {
    const Reason reason = options_.limits.reached();
    memory_was_taken_ = memory_was_taken_ || reason == Reason::limit;
    return reason != Reason::none;
  }
  bool in_volume() const { return counts_volume(fabric_, goal_); }
  std::string amount(std::uint64_t T) const;  // "3 rounds", "a volume of 3"
  // The amount that the search minimizes (steps, or the volume), and whether the schedule has no more rounds than it
  // may. Both require that the schedule holds.
  std::uint64_t measure(const Report& report) const { return in_volume() ? report.volume.value() : report.steps; }
  bool few_enough_rounds(const Report& report) const { return !in_volume() || report.steps <= *goal_.phases; }
  bool few_enough_phases(const SendTable& table) const {
    return !goal_.phases || in_volume() || phases_of(table) <= *goal_.phases;
  }
  void say(const std::string& stage) const;
  void tell_bound(const std::string& reason);
  bool attempt(const std::function<void()>& stage, const std::function<std::string()>& what_is_large);

  void consider_tables();
  void consider_known();
  void consider_offered(SendTable table, std::optional<Method> method = {});
  void plan();
  void construct();
  void construct_halves();
  void consider(SendTable table, Method method);
  bool accepted(const SendTable& table) const { return !options_.accepts || options_.accepts(table); }
  void take(SendTable table, std::uint64_t steps, Method method);

  void solve();
  void climb();
  std::uint32_t most_steps() const;
  bool try_all(std::uint32_t T, std::uint64_t conflicts);
  Queries& queries_for(std::uint32_t T);
  Query::StepSpan steps_around(std::uint32_t T) const;
  void prepare(Queries& queries);
  void prepare_one(const Group& group, PathChoice paths, Queries& queries);
  std::string too_large(const std::string& what) const;
  std::uint64_t room_for(bool exact) const;
  bool try_one(Query& query, std::uint32_t T, std::uint64_t conflicts);
  bool found(const Query& query, std::uint32_t T);
  void refuted(const Query& query, std::uint32_t T, std::string reason);
  std::string formula_text(std::uint32_t T);
  void prove_bound();

  void forget_formulas_about_one_word();
  void conclude();

  const Fabric& fabric_;
  const Collective& collective_;
  const SearchGoal& goal_;
  const SearchOptions& options_;
  Watch watch_;
  RelatedSchedules related_;
  std::unique_ptr<SearchProblem> problem_;
  std::vector<Group> groups_;  // the last one is trivial
  std::list<Queries> queries_;
  std::uint64_t lower_bound_ = 0;
  std::uint64_t told_bound_ = 0;  // the last bound that was reported (SearchOptions::on_event)
  std::optional<std::string> why_no_formula_;
  bool no_schedule_ = false;       // whether a formula had a solution that is no schedule
  bool memory_was_taken_ = false;  // whether the memory limit was reached once, so that something was passed over
  std::string too_large_;          // names what did not fit into memory; empty if everything did
  SearchResult result_;
};

}  // namespace quadrille::searching
