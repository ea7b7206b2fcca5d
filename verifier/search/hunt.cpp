// How the search goes about it:
//   1. bounds: what no schedule can beat (bounds.h);
//   2. schedules that are known, and greedy ones; where one meets the best bound, it is optimal;
//   3. linear programs, if these leave a gap: bounds that take longer;
//   4. at the least number of steps T that is still open, formulas: for schedules that are invariant under a group of
//      the fabric's automorphisms, largest group first, and for all schedules. Each may take so many conflicts; when
//      all have had theirs, each gets more. That all schedules are too long raises T; a schedule of T steps ends the
//      search;
//   5. now and then the same at one step less than the best known schedule, so that it gets better where the bound does
//      not;
//   6. where evidence is asked for, and the best bound is one that no prices show, a proof of the formula below it.
// Limits are numbers of conflicts, not times: the same question gets the same answer, unless it is cut short.
#include "verifier/search/hunt.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/counted.h"
#include "verifier/check.h"

namespace quadrille::searching {
namespace {

constexpr std::uint64_t most_rows = 100000;  // of linear programs: some ten seconds

}  // namespace

SearchResult Hunt::run() {
  count();
  if (!result_.bounds.front().impossible && !settled()) {
    const bool narrow = goal_.inject_once || goal_.keep_to_paths || goal_.phases;
    if (!narrow) consider_known();  // some are too large for anything else
    if (!settled()) problem_ = make_problem(fabric_, collective_, goal_, options_);
    if (problem_) {
      if (narrow) consider_known();
      if (!settled()) construct();
      if (!settled()) count_over_time(result_.lower_bound);
      if (!settled()) solve();
    } else if (!settled()) {
      too_large_ = too_large(fmt::format("the ways of {} over {}", counted(collective_.demands(), "packet"),
                                         counted(fabric_.channels(), "channel")));
    }
  }
  prove_bound();
  conclude();
  return std::move(result_);
}

// --- bounds -------------------------------------------------------------------------------------------------------

void Hunt::count() {
  result_.bounds = bounds_of(fabric_, collective_);
  const Bound& best = result_.bounds.front();
  result_.lower_bound = best.steps;
  const std::uint32_t short_of = static_cast<std::uint32_t>(std::min<std::uint64_t>(best.steps, max_step)) - 1;
  if (best.steps == 0) return;
  const auto priced = std::find_if(result_.bounds.begin(), result_.bounds.end(), [&](const Bound& bound) {
    return bound.prices && bound.steps == best.steps && bound.impossible == best.impossible;
  });
  rule_out(best, short_of);
  if (!options_.evidence || best.prices) return;
  if (priced != result_.bounds.end()) return rule_out(*priced, short_of);
  count_over_time(short_of);
}

// Linear programs, which take longer, where counting by hand has not settled the question.
void Hunt::count_over_time(std::uint64_t at_least) {
  say("linear programs");
  auto flow = flow_bound(fabric_, collective_, at_least, most_rows, options_.cancelled);
  if (!flow) return;
  result_.lower_bound = flow->steps;
  rule_out(*flow, static_cast<std::uint32_t>(flow->steps - 1));
  result_.bounds.insert(result_.bounds.begin(), std::move(*flow));
}

// That T steps are too few, by a bound.
void Hunt::rule_out(const Bound& bound, std::uint32_t T) {
  Impossibility it;
  it.steps = T;
  it.reason = bound.reason;
  if (options_.evidence && bound.prices) it.prices = bound.prices(T);
  result_.impossibility = std::move(it);
}

bool Hunt::settled() const {
  if (cancelled()) return true;
  if (goal_.steps && result_.lower_bound > *goal_.steps) return true;
  if (!result_.table) return false;
  return result_.steps <= result_.lower_bound || (goal_.steps && result_.steps <= *goal_.steps);
}

void Hunt::say(const std::string& what) const {
  if (options_.progress) options_.progress(what);
}

// --- constructions ------------------------------------------------------------------------------------------------

void Hunt::consider_known() {
  for (const SendTable& known : options_.known) consider(known, "known schedule: " + known.schedule);
}

void Hunt::construct() {
  problem_->construct(result_.lower_bound, [this](SendTable table, std::string method) {
    consider(std::move(table), std::move(method));
    return !settled();
  });
}

// Takes the table if it keeps to the rules and the goal, and is shorter than what is known.
void Hunt::consider(SendTable table, std::string method) {
  const Report report = check(table);
  if (report.verdict == Verdict::holds && (!problem_ || problem_->keeps_to_goal(table))) {
    take(std::move(table), report.steps, std::move(method));
  }
}

void Hunt::take(SendTable table, std::uint64_t steps, std::string method) {
  if (result_.table && steps >= result_.steps) return;
  say(fmt::format("a schedule of {}: {}", counted(steps, "step"), method));
  table.claims.clear();
  result_.table = std::move(table);
  result_.steps = static_cast<std::uint32_t>(steps);
  result_.method = std::move(method);
}

// --- verdict ------------------------------------------------------------------------------------------------------

void Hunt::conclude() {
  SearchResult& it = result_;
  if (it.table && (!goal_.steps || it.steps <= *goal_.steps)) {
    it.verdict = it.steps <= it.lower_bound ? SearchVerdict::optimal : SearchVerdict::found;
    if (goal_.steps) return;  // nothing else was asked
  } else if (it.bounds.front().impossible || (goal_.steps && it.lower_bound > *goal_.steps)) {
    it.verdict = SearchVerdict::impossible;
  }
  const bool open = it.verdict == SearchVerdict::found || it.verdict == SearchVerdict::unknown;
  if (open)
    it.why = cancelled() ? "the time was not enough" : too_large_.empty() ? "nothing is left to try" : too_large_;
}

}  // namespace quadrille::searching
