// The search goes through these stages:
//
// 1. Bounds that no schedule can beat (bounds.h).
// 2. Known schedules, planned ones (planned.cpp), and greedy ones, of the collective and of its halves. One that meets
//    the best bound is optimal.
// 3. Linear programs, if a gap remains. They give bounds that take longer to compute.
// 4. Formulas at the least number of steps T that is still open: for schedules that are invariant under a group of
//    the fabric's automorphisms, largest group first, and for all schedules. Each formula may take N conflicts; when
//    all have had theirs, each gets more. A proof that no schedule has T steps raises T; a schedule of T steps ends
//    the search.
// 5. Periodically, the same at one step less than the best known schedule, so that the schedule gets better where the
//    bound does not.
// 6. If evidence is asked for and no counting shows the best bound, a proof that the formula of one step less is
//    unsatisfiable.
//
// Limits are numbers of conflicts, not times. So the same question gets the same answer, unless it is cut short.
#include "verifier/search/search_driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "model/limits/resident_memory.h"
#include "model/text/counted.h"
#include "verifier/check.h"
#include "verifier/search/heuristics/schedules.h"

namespace quadrille::searching {
namespace {

constexpr std::uint64_t most_rows = 100000;  // of linear programs: some ten seconds
constexpr std::uint64_t many_demands = std::uint64_t{1} << 10;

}  // namespace

SearchResult SearchDriver::run() {
  why_no_formula_ = why_no_formula(fabric_, collective_, goal_);
  find_bounds();
  if (!result_.bounds.front().impossible() && !settled()) {
    // If the goal is narrower, only the problem can tell whether a known schedule keeps to it, so the problem is made
    // first.
    const bool narrow = !in_volume() && (goal_.inject_once || goal_.keep_to_paths || goal_.phases);
    if (!narrow) consider_tables();  // some are too large for anything else
    if (!settled()) {
      attempt([&] { problem_ = make_problem(fabric_, collective_, goal_, watch_); },
              [&] {
                return fmt::format("the paths of {} over {}", counted(collective_.demands(), "packet"),
                                   counted(fabric_.channels(), "channel"));
              });
    }
    if (problem_) {
      if (narrow) consider_known();
      if (!settled()) construct();
      if (!settled()) construct_halves();
      if (!settled()) find_flow_bound(lower_bound_);
      if (!settled() && !why_no_formula_) solve();
    }
  }
  if (!why_no_formula_) prove_bound();
  conclude();
  return std::move(result_);
}

// Runs a stage; returns whether it was completed. Records in too_large_ what did not fit into memory.
bool SearchDriver::attempt(const std::function<void()>& stage, const std::function<std::string()>& what_is_large) {
  try {
    stage();
    return true;
  } catch (const Ended& ended) {
    if (ended.reason != Reason::limit) return false;
  } catch (const std::bad_alloc&) {
    // This is treated like Reason::limit: the system gives no more memory.
  }
  return_freed_memory();
  too_large_ = too_large(what_is_large());
  return false;
}

// --- bounds -------------------------------------------------------------------------------------------------------

void SearchDriver::find_bounds() {
  say("bounds");
  result_.bounds = bounds_of(fabric_, collective_, goal_, options_.limits);
  if (rule_out_injection()) return;
  const Bound& best = result_.bounds.front();
  lower_bound_ = best.steps.value_or(std::uint64_t{max_step} + 1);
  if (lower_bound_ == 0) return;
  const std::uint32_t short_of = static_cast<std::uint32_t>(std::min<std::uint64_t>(lower_bound_, max_step)) - 1;
  rule_out(best, short_of);
  if (!options_.evidence || best.has_evidence()) return;
  // If the best bound has no evidence, one that is as good and has some serves in its place.
  const auto shown = std::ranges::find_if(
      result_.bounds, [&](const Bound& bound) { return bound.has_evidence() && bound.steps == best.steps; });
  if (shown != result_.bounds.end()) return rule_out(*shown, short_of);
  find_flow_bound(short_of);
}

// Does nothing where a number of steps is asked for: a formula answers that, with a proof.
bool SearchDriver::rule_out_injection() {
  if (!goal_.inject_once || goal_.steps || result_.bounds.front().impossible()) return false;
  auto why = why_never_in_one_step(fabric_, collective_, goal_);
  if (!why) return false;
  result_.bounds.insert(result_.bounds.begin(), Bound{BoundKind::distance, std::nullopt, *std::move(why)});
  lower_bound_ = std::uint64_t{max_step} + 1;
  rule_out(result_.bounds.front(), max_step - 1);
  result_.impossibility->narrowed = {.inject_once = true, .paths_kept = goal_.keep_to_paths};
  return true;
}

// Solves linear programs, which take longer, where counting by hand has not settled the question.
void SearchDriver::find_flow_bound(std::uint64_t at_least) {
  if (fabric_.in_rounds()) return;
  say("linear programs");
  auto flow = flow_bound(fabric_, collective_, at_least, most_rows, options_.limits);
  if (!flow) return;
  lower_bound_ = *flow->steps;
  rule_out(*flow, static_cast<std::uint32_t>(*flow->steps - 1));
  result_.bounds.insert(result_.bounds.begin(), std::move(*flow));
}

// Records that a bound shows T steps to be too few. For volume, the bound may show that the rounds are too few for
// any volume.
void SearchDriver::rule_out(const Bound& bound, std::uint32_t T) {
  Impossibility it;
  it.of_any_volume = in_volume() && bound.impossible();
  it.steps = it.of_any_volume ? *goal_.phases : T;
  it.reason = bound.reason;
  it.by_doublings = bound.kind == BoundKind::doubling;
  if (options_.evidence && bound.prices) it.prices = bound.prices(T);
  if (options_.evidence && bound.groups) it.groups = bound.groups();
  tell_bound(it.reason);
  result_.impossibility = std::move(it);
}

bool SearchDriver::settled() {
  if (ended()) return true;
  if (goal_.steps && lower_bound_ > *goal_.steps) return true;
  if (!result_.table) return false;
  return result_.steps <= lower_bound_ || (goal_.steps && result_.steps <= *goal_.steps);
}

std::string SearchDriver::amount(std::uint64_t T) const {
  if (in_volume()) return fmt::format("a volume of {}", T);
  return counted(T, fabric_.in_rounds() ? "round" : "step");
}

// With what is known until now: "is there one of 9 steps? (at least 8, found 12)".
void SearchDriver::say(const std::string& stage) const {
  if (!options_.limits.progress) return;
  std::string known;
  if (lower_bound_ > 0 && lower_bound_ <= max_step) known = fmt::format("at least {}", lower_bound_);
  if (result_.table) known += fmt::format("{}found {}", known.empty() ? "" : ", ", result_.steps);
  const std::string text = known.empty() ? stage : fmt::format("{} ({})", stage, known);
  options_.limits.progress({.stage = text, .done = std::nullopt});
}

// Reports the lower bound, if it has changed.
void SearchDriver::tell_bound(const std::string& reason) {
  if (std::exchange(told_bound_, lower_bound_) == lower_bound_ || !options_.on_event) return;
  const auto steps = lower_bound_ > max_step ? std::nullopt : std::optional(lower_bound_);
  options_.on_event({.kind = SearchEvent::Kind::bound, .steps = steps, .how = reason});
}

// --- heuristics ---------------------------------------------------------------------------------------------------

// Known schedules say more of themselves than planned ones that are as short. But to place those of many packets takes
// longer than to plan.
void SearchDriver::consider_tables() {
  std::uint64_t demands = collective_.demands();
  for (const Collective& other : related_collectives(fabric_, collective_)) {
    demands = std::max(demands, other.demands());
  }
  const bool many = demands > many_demands;
  if (many) plan();
  if (!settled()) consider_known();
  if (!many && !settled()) plan();
}

void SearchDriver::consider_known() {
  for (const SendTable& known : options_.known) {
    if (ended()) return;
    consider_offered(known);
  }
  if (!options_.offer_known || settled()) return;
  options_.offer_known([&](SendTable table) {
    consider_offered(std::move(table));
    return !settled();
  });
}

// Considers a schedule of this collective, or of a related one. Its claims need not hold here, so they are dropped.
// `found_by`: the method that found it; nothing for a known schedule.
void SearchDriver::consider_offered(SendTable table, std::optional<Method> found_by) {
  table.claims.clear();
  table.invariants.clear();
  if (table.collective.notation() == collective_.notation()) {
    Method method = found_by.value_or(Method{.kind = Method::Kind::known_schedule, .name = table.schedule});
    return consider(std::move(table), std::move(method));
  }
  attempt(
      [&] {
        for (auto& [made, method] : related_.made_of(table, options_.limits)) {
          if (found_by) method = Method{found_by->kind, method.use, found_by->name, table.collective.notation()};
          consider(std::move(made), std::move(method));
        }
      },
      [&] { return "schedules made of those of " + table.collective.notation(); });
}

// Plans schedules of the collective, and of those of which its own can be made.
void SearchDriver::plan() {
  std::vector<Collective> all = related_collectives(fabric_, collective_);
  all.insert(all.begin(), collective_);
  for (const Collective& planned : all) {
    if (settled() || ended()) return;
    const std::uint64_t enough = bounds_of(fabric_, planned, {}, options_.limits).front().steps.value_or(0);
    const auto take = [&](SendTable table, Method method) {
      consider_offered(std::move(table), std::move(method));
      return !settled();
    };
    attempt([&] { planned_schedules(fabric_, planned, enough, watch_, take); },
            [&] { return "schedules of " + planned.notation(); });
  }
}

void SearchDriver::construct() {
  const auto consider_next = [this](SendTable table, Method method) {
    consider(std::move(table), std::move(method));
    return !settled();
  };
  attempt([&] { problem_->construct(lower_bound_, consider_next); },
          [&] { return "schedules of " + counted(collective_.demands(), "packet"); });
}

// Offers an allreduce whose halves are each the best that heuristics make of them. Where links go one way, or packets
// pass switches, neither half is the other one time-reversed; elsewhere the problem itself offers both.
void SearchDriver::construct_halves() {
  if (fabric_.in_rounds() || goal_.phases || !collective_.combining() || !collective_.shape()->all_to_all()) return;
  if (!fabric_.has_switches() && !fabric_.has_one_way_links()) return;
  const SearchGoal any_steps;
  for (const Collective& half : related_collectives(fabric_, collective_)) {
    if (settled()) return;
    const auto offer_joined = [&](const SendTable& table, const Method& method) {
      for (auto& [made, how] : related_.made_of(table, options_.limits)) {
        how = method;
        how.use = Method::Use::reduce_then_broadcast;
        how.of = half.notation();
        consider(std::move(made), std::move(how));
      }
      return !settled();
    };
    attempt([&] { make_problem(fabric_, half, any_steps, watch_)->construct(lower_bound_, offer_joined); },
            [&] { return "schedules of " + half.notation(); });
  }
}

// Takes the table if it keeps to the rules and the goal, and is shorter than the best one. A table that is as short
// replaces the best one if only the latter keeps partial reductions beside the one that is held: formulas are about
// schedules that keep none.
void SearchDriver::consider(SendTable table, Method method) {
  // In phases a processor passes on only the partial reduction that it holds (model/MODEL.md, Phases). Only an
  // exclusive prefix needs more. A direct schedule sends none of the partial reductions that it keeps.
  const bool reductions_needed = collective_.leaves_own_out() || method.kind == Method::Kind::direct;
  if (goal_.phases && !in_volume() && table.rows->has_partial_reductions() && !reductions_needed) return;
  const Report report = checked_quietly(table, options_.limits);
  const bool right = report.verdict == Verdict::holds && few_enough_rounds(report);
  if (!right || !few_enough_phases(table) || (problem_ && !problem_->keeps_to_goal(table))) return;
  if (!result_.table || measure(report) <= result_.steps) {
    if (accepted(table)) take(std::move(table), measure(report), std::move(method));
  }
}

void SearchDriver::take(SendTable table, std::uint64_t steps, Method method) {
  if (result_.table) {
    const bool plainer = result_.table->rows->has_partial_reductions() && !table.rows->has_partial_reductions();
    if (steps > result_.steps || (steps == result_.steps && !plainer)) return;
  }
  say(fmt::format("a schedule of {}: {}", amount(steps), to_string(method)));
  table.claims.clear();
  table.invariants.clear();
  result_.table = std::move(table);
  result_.steps = static_cast<std::uint32_t>(steps);
  result_.method = std::move(method);
  if (options_.on_event) options_.on_event({.steps = steps, .how = to_string(result_.method)});
}

// --- verdict ------------------------------------------------------------------------------------------------------

// Formulas over partial reductions are about processors that keep none beside the one that they hold. They say
// nothing about a schedule that keeps some; for it, counting alone tells which number of steps is too small.
void SearchDriver::forget_formulas_about_one_word() {
  if (!result_.table || !result_.table->rows->has_partial_reductions()) return;
  if (!result_.impossibility || !result_.impossibility->narrowed.no_kept_reductions) return;
  const Bound& best = result_.bounds.front();
  lower_bound_ = best.steps.value_or(0);
  result_.impossibility.reset();
  if (lower_bound_ > 0) rule_out(best, static_cast<std::uint32_t>(lower_bound_ - 1));
}

void SearchDriver::conclude() {
  forget_formulas_about_one_word();
  SearchResult& it = result_;
  it.why_no_formula = why_no_formula_.value_or("");
  const bool impossible = it.bounds.front().impossible();
  if (impossible) {
    it.lower_bound.reset();
  } else {
    it.lower_bound = lower_bound_;
  }
  if (it.table && (!goal_.steps || it.steps <= *goal_.steps)) {
    it.verdict = it.steps <= lower_bound_ ? SearchVerdict::optimal : SearchVerdict::found;
    if (goal_.steps) return;  // nothing else was asked
  } else if (impossible || (goal_.steps && lower_bound_ > *goal_.steps)) {
    it.verdict = SearchVerdict::impossible;
  }
  if (it.verdict == SearchVerdict::optimal || it.verdict == SearchVerdict::impossible) return;
  it.reason = options_.limits.reached();
  if (it.reason == Reason::timeout) {
    it.why = "the time was not enough";
  } else if (it.reason == Reason::cancelled) {
    it.why = "it was cancelled";
  } else if (it.reason == Reason::limit || memory_was_taken_ || !too_large_.empty()) {
    it.reason = Reason::limit;
    it.why = too_large_.empty() ? "it needs more memory than the limit" : too_large_;
  } else {
    it.reason = Reason::unsupported;
    it.why = why_no_formula_.value_or(no_schedule_ ? "a formula has a solution that is no schedule"
                                                   : "nothing is left to try");
  }
}

}  // namespace quadrille::searching
