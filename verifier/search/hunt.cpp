// How the search goes about it:
//   1. bounds: what no schedule can beat (bounds.h);
//   2. schedules that are known, and greedy ones; where one meets the best bound, it is optimal;
//   3. linear programs, if these leave a gap: bounds that take longer;
//   4. at the least number of steps T that is still open, formulas: for schedules that are invariant under a group of
//      the fabric's automorphisms, largest group first, and for all schedules. Each may take so many conflicts; when
//      all have had theirs, each gets more. That all schedules are too long raises T; a schedule of T steps ends the
//      search;
//   5. now and then the same at one step less than the best known schedule, so that it gets better where the bound does
//      not.
// Limits are numbers of conflicts, not times: the same question gets the same answer, unless it is cut short.
#include "verifier/search/hunt.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "model/counted.h"
#include "verifier/check.h"
#include "verifier/search/dimacs.h"
#include "verifier/search/gate.h"

namespace quadrille::searching {
namespace {

constexpr std::uint64_t first_conflicts = 200;
constexpr std::uint64_t most_rows = 100000;  // of linear programs: some ten seconds
constexpr std::uint32_t reach = 1;  // so many steps less, too, are decided by a formula; more of them take longer
constexpr std::uint64_t most_variables = std::uint64_t{1} << 28;

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
      too_large_ = "all that packets can do does not fit into memory";
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

// --- formulas -----------------------------------------------------------------------------------------------------

void Hunt::solve() {
  groups_ = problem_->groups();
  groups_.push_back(trivial_group(fabric_));
  for (std::uint64_t conflicts = first_conflicts; !settled(); conflicts *= 4) {
    const auto least = static_cast<std::uint32_t>(std::max<std::uint64_t>(result_.lower_bound, 1));
    bool tried = try_all(least, conflicts);
    if (result_.lower_bound > least) {  // new ground: begin anew
      conflicts = first_conflicts / 4;
      continue;
    }
    if (!settled() && most_steps() > least) tried = try_all(most_steps(), conflicts) || tried;
    if (!tried) break;
  }
}

// No schedule of more steps is looked for.
std::uint32_t Hunt::most_steps() const {
  if (goal_.steps) return *goal_.steps;
  return result_.table ? result_.steps - 1 : 2 * static_cast<std::uint32_t>(result_.lower_bound) + 1;
}

// Every attempt at T steps that is still open; whether there was one.
bool Hunt::try_all(std::uint32_t T, std::uint64_t conflicts) {
  bool tried = false;
  for (const auto& attempt : attempts_for(T).each) {
    if (!attempt->open(T) || cancelled()) continue;
    tried = true;
    if (try_one(*attempt, T, conflicts)) break;
  }
  return tried;
}

// Those that there are, or new ones. What serves neither T nor the least number of steps that is open is dropped.
Hunt::Attempts& Hunt::attempts_for(std::uint32_t T) {
  const auto least = static_cast<std::uint32_t>(result_.lower_bound);
  std::erase_if(attempts_, [&](const Attempts& it) { return !it.steps.has(T) && !it.steps.has(least); });
  const auto known =
      std::find_if(attempts_.begin(), attempts_.end(), [&](const Attempts& it) { return it.steps.has(T); });
  if (known != attempts_.end()) return *known;
  attempts_.push_back({steps_around(T), {}});
  prepare(attempts_.back());
  return attempts_.back();
}

// The numbers of steps for which one formula serves: a proof is about one. Else one that is to decide T after a formula
// has decided T - 1 may have to decide T + 1, too; one for the most steps serves when a schedule of fewer is found.
Attempt::Range Hunt::steps_around(std::uint32_t T) const {
  if (options_.evidence) return {T, T};
  const bool least = T == result_.lower_bound;
  const bool climbing = least && result_.impossibility && result_.impossibility->by_formula;
  const std::uint32_t last = climbing ? std::min(T + reach, most_steps()) : T;
  return {last > reach ? last - reach : 1, last};
}

void Hunt::prepare(Attempts& attempts) {
  for (const Group& group : groups_) {
    if (problem_->has_shortest_ways()) prepare_one(group, Ways::shortest, attempts);
    prepare_one(group, Ways::all, attempts);
  }
}

void Hunt::prepare_one(const Group& group, Ways ways, Attempts& attempts) {
  if (cancelled()) return;
  const std::uint32_t T = attempts.steps.last;
  const std::uint64_t size = problem_->size(T, ways) / group.elements.size();
  const std::uint64_t room = room_for(ways == Ways::all && group.elements.size() == 1);
  try {
    if (size > room / problem_->bytes_each() || size > most_variables) throw Abandoned::too_large;
    attempts.each.push_back(std::make_unique<Attempt>(*problem_, attempts.steps, group, ways, room, options_));
  } catch (Abandoned why) {
    if (why != Abandoned::too_large) return;
    too_large_ = fmt::format("{} in {} do not fit into memory", problem_->size_text(size), counted(T, "step"));
  }
}

// Bytes for one more attempt: those that are not exact take half of what there is at most, all together.
std::uint64_t Hunt::room_for(bool exact) const {
  std::uint64_t taken = 0;
  for (const Attempts& attempts : attempts_) {
    for (const auto& attempt : attempts.each) taken += attempt->bytes();
  }
  const std::uint64_t all = exact ? options_.memory : options_.memory / 2;
  return all - std::min(all, taken);
}

// Whether the attempt settles T.
bool Hunt::try_one(Attempt& attempt, std::uint32_t T, std::uint64_t conflicts) {
  say(fmt::format("{}, {}: {} variables", counted(T, "step"), attempt.schedules(), attempt.variables()));
  switch (attempt.solve(T, {options_.cancelled, conflicts})) {
    case Answer::satisfiable:
      found(attempt);
      return true;
    case Answer::unsatisfiable:
      if (!attempt.exact()) break;
      if (T >= result_.lower_bound) refuted(attempt, T, problem_->refutation(T));
      return true;
    case Answer::unknown:
      break;
  }
  return false;
}

void Hunt::found(const Attempt& attempt) {
  SendTable table = problem_->table("search", attempt.rows());
  const Report report = check(table);
  if (report.verdict != Verdict::holds) {
    throw std::logic_error("Hunt::found: the checker refuses a schedule that the search found");
  }
  take(std::move(table), report.steps, "search over " + attempt.schedules());
}

void Hunt::refuted(const Attempt& attempt, std::uint32_t T, std::string reason) {
  result_.lower_bound = T + 1;
  Impossibility it;
  it.steps = T;
  it.reason = std::move(reason);
  it.by_formula = true;
  it.variables = attempt.variables();
  it.clauses = attempt.clauses();
  it.about = problem_->about();
  it.proof = attempt.proof();
  if (!it.proof.empty()) it.formula = formula_text(T);
  result_.impossibility = std::move(it);
}

// The formula for other checkers.
std::string Hunt::formula_text(std::uint32_t T) const {
  const auto formula = problem_->formula(T, groups_.back(), Ways::all);
  return dimacs_text(*formula, fmt::format("{} on {} in {}, about {}", collective_.notation(), fabric_.notation(),
                                           counted(T, "step"), problem_->about()));
}

// Evidence for a bound that no prices show: that the formula of one step less is unsatisfiable, if that is found in
// time.
void Hunt::prove_bound() {
  const auto& bound = result_.impossibility;
  if (!options_.evidence || options_.z3 || !bound || bound->steps == 0) return;
  if (bound->prices || bound->by_formula || result_.bounds.front().impossible) return;
  if (!problem_) problem_ = make_problem(fabric_, collective_, goal_, options_);
  if (!problem_) return;
  if (groups_.empty()) groups_.push_back(trivial_group(fabric_));
  const std::uint32_t T = bound->steps;
  Attempts attempts{{T, T}, {}};
  prepare_one(groups_.back(), Ways::all, attempts);
  for (const auto& attempt : attempts.each) {
    say(fmt::format("a proof that {} are too few: {} variables", counted(T, "step"), attempt->variables()));
    const Answer answer = attempt->solve(T, {options_.cancelled, 0});
    if (answer == Answer::satisfiable) throw std::logic_error("Hunt::prove_bound: there is a schedule below a bound");
    if (answer == Answer::unsatisfiable) refuted(*attempt, T, bound->reason);
  }
}

// --- verdict ------------------------------------------------------------------------------------------------------

void Hunt::conclude() {
  SearchResult& it = result_;
  if (it.table && (!goal_.steps || it.steps <= *goal_.steps)) {
    it.verdict = it.steps <= it.lower_bound ? SearchVerdict::optimal : SearchVerdict::found;
    return;
  }
  if (it.bounds.front().impossible || (goal_.steps && it.lower_bound > *goal_.steps)) {
    it.verdict = SearchVerdict::impossible;
    return;
  }
  it.why = cancelled() ? "the time was not enough" : too_large_.empty() ? "nothing is left to try" : too_large_;
}

}  // namespace quadrille::searching
