// The driver's formulas: which are asked, in which order, and what their answers mean. search_driver.cpp decides
// when.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "model/text/counted.h"
#include "verifier/check.h"
#include "verifier/search/problem/problem.h"
#include "verifier/search/search_driver.h"

namespace quadrille::searching {
namespace {

constexpr std::uint64_t first_conflicts = 200;
constexpr std::uint32_t reach = 1;  // a formula also decides this many steps less; more of them take longer
constexpr std::uint64_t most_variables = std::uint64_t{1} << 28;

}  // namespace

void SearchDriver::solve() {
  attempt([&] { groups_ = problem_->groups(); }, [] { return std::string("symmetries"); });
  groups_.push_back(trivial_group(fabric_));
  // Each round has four times the conflicts of the one before. So easy questions are answered before hard ones take
  // long, and all earlier rounds together cost no more than a third of the last.
  for (std::uint64_t conflicts = first_conflicts; !settled(); conflicts *= 4) {
    const auto least = static_cast<std::uint32_t>(std::max<std::uint64_t>(lower_bound_, 1));
    bool tried = try_all(least, conflicts);
    if (lower_bound_ > least) {  // the bound rose: begin anew
      conflicts = first_conflicts / 4;
      continue;
    }
    // Searches from above, too: a shorter schedule may be found where the bound does not rise. If a solution was no
    // schedule, another solution would be none again.
    if (!settled() && !no_schedule_ && most_steps() > least) tried = try_all(most_steps(), conflicts) || tried;
    if (!tried) break;
  }
  if (no_schedule_ && (in_volume() || problem_->fewer_paths() || options_.accepts)) climb();
}

// If a solution was no schedule, one of a few more rounds, or of a little more volume, may be.
void SearchDriver::climb() {
  for (std::uint64_t T = lower_bound_ + 1; T <= most_steps() && !settled(); ++T) {
    try_all(static_cast<std::uint32_t>(T), first_conflicts * 16);
    if (result_.table && result_.steps <= T) return;
  }
}

// The largest number of steps for which a schedule is looked for.
std::uint32_t SearchDriver::most_steps() const {
  if (goal_.steps) return *goal_.steps;
  return result_.table ? result_.steps - 1 : 2 * static_cast<std::uint32_t>(lower_bound_) + 1;
}

// Tries every query at T steps that is still open; returns whether there was one.
bool SearchDriver::try_all(std::uint32_t T, std::uint64_t conflicts) {
  bool tried = false;
  for (const auto& query : queries_for(T).each) {
    if (!query->open(T) || ended()) continue;
    tried = true;
    if (try_one(*query, T, conflicts)) break;
  }
  return tried;
}

// The queries for T steps: existing ones, or new ones. Drops those that serve neither T nor the least open number of
// steps.
SearchDriver::Queries& SearchDriver::queries_for(std::uint32_t T) {
  const auto least = static_cast<std::uint32_t>(lower_bound_);
  std::erase_if(queries_, [&](const Queries& it) { return !it.steps.has(T) && !it.steps.has(least); });
  const auto known = std::find_if(queries_.begin(), queries_.end(), [&](const Queries& it) { return it.steps.has(T); });
  if (known != queries_.end()) return *known;
  queries_.push_back({steps_around(T), {}});
  prepare(queries_.back());
  return queries_.back();
}

// The numbers of steps for which one formula serves. A proof is about one number only. Otherwise, a formula that is
// to decide T after another has decided T - 1 may have to decide T + 1, too. And a formula for the most steps that
// may be asked for may have to decide T - 1 when it finds a schedule. Where neither can happen, a solver is faster
// without the choice.
Query::StepSpan SearchDriver::steps_around(std::uint32_t T) const {
  if (options_.evidence) return {T, T};
  const auto least = static_cast<std::uint32_t>(std::max<std::uint64_t>(lower_bound_, 1));
  const bool climbing = T == least && result_.impossibility && result_.impossibility->by_formula;
  if (climbing) return {T, std::min(T + reach, most_steps())};
  return {goal_.steps ? T : std::max(T - std::min(T, reach), least), T};
}

void SearchDriver::prepare(Queries& queries) {
  for (const Group& group : groups_) {
    if (const auto fewer = problem_->fewer_paths()) prepare_one(group, *fewer, queries);
    prepare_one(group, PathChoice::all, queries);
  }
}

void SearchDriver::prepare_one(const Group& group, PathChoice paths, Queries& queries) {
  if (ended()) return;
  const std::uint32_t T = queries.steps.last;
  const std::uint64_t size = problem_->size(T, paths) / group.elements.size();
  const std::uint64_t room = room_for(paths == PathChoice::all && group.elements.size() == 1);
  const Query::Options options{options_.engine, options_.evidence, room};
  const auto write = [&] {
    if (size > room / problem_->bytes_each() || size > most_variables) throw Ended{Reason::limit};
    queries.each.push_back(std::make_unique<Query>(*problem_, queries.steps, group, paths, options, watch_));
  };
  attempt(write, [&] { return fmt::format("{} in {}", problem_->size_text(size), amount(T)); });
}

std::string SearchDriver::too_large(const std::string& what) const {
  constexpr double mib = 1 << 20;
  return fmt::format("{} do not fit into {:.0f} MiB of memory; more memory, or fewer chunks or processors, would help",
                     what, std::ceil(static_cast<double>(options_.limits.memory) / mib));
}

// Bytes for the formula of one more query. Its learnt clauses come on top: a third of the formula's size if the query
// is exact, and as much again for the others. Queries that are not exact take at most half of the memory together.
std::uint64_t SearchDriver::room_for(bool exact) const {
  std::uint64_t taken = watch_.used();
  std::uint64_t estimated = 0;
  for (const Queries& queries : queries_) {
    for (const auto& query : queries.each) estimated += query->bytes();
  }
  taken = std::max(taken, estimated);
  const std::uint64_t all = exact ? options_.limits.memory : options_.limits.memory / 2;
  const std::uint64_t left = all - std::min(all, taken);
  return exact ? left - left / 4 : left / 2;
}

// Asks the query; returns whether that settles T.
bool SearchDriver::try_one(Query& query, std::uint32_t T, std::uint64_t conflicts) {
  say(fmt::format("{}, {}: {} variables", amount(T), query.schedules(), query.variables()));
  switch (query.solve(T, conflicts)) {
    case Answer::satisfiable:
      return found(query, T);
    case Answer::unsatisfiable:
      // If no invariant schedule exists, another schedule still may.
      if (!query.exact()) break;
      if (T >= lower_bound_) refuted(query, T, problem_->refutation(T));
      return true;
    case Answer::unknown:
      if (query.given_up()) too_large_ = too_large("formulas of " + amount(T));
      break;
  }
  return false;
}

// Takes the query's solution; returns whether it is a schedule of at most T steps.
bool SearchDriver::found(const Query& query, std::uint32_t T) {
  std::optional<SendTable> table = query.table(*problem_);
  // The checker must accept every schedule before it is used.
  const Report report = table ? check(*table) : Report{};
  const bool right =
      table && report.verdict == Verdict::holds && few_enough_rounds(report) && few_enough_phases(*table);
  if (!right && problem_->exact()) {
    throw std::logic_error("SearchDriver::found: the checker refuses a schedule that the search found");
  }
  const bool holds = right && accepted(*table);
  no_schedule_ = no_schedule_ || !holds || measure(report) > T;
  if (holds) take(*std::move(table), measure(report), {.kind = Method::Kind::formula, .name = query.schedules()});
  return holds && measure(report) <= T;
}

void SearchDriver::refuted(const Query& query, std::uint32_t T, std::string reason) {
  lower_bound_ = T + 1;
  Impossibility it;
  it.steps = T;
  it.reason = std::move(reason);
  tell_bound(it.reason);
  it.by_formula = true;
  it.variables = query.variables();
  it.clauses = query.clauses();
  it.about = problem_->about();
  it.narrowed = narrowing_of(fabric_, collective_, goal_, it.about);
  it.proof = query.proof();
  if (!it.proof.empty() && !attempt([&] { it.formula = formula_text(T); }, [] { return "a formula's text"; })) {
    it.proof.clear();  // it is a proof of that formula
  }
  result_.impossibility = std::move(it);
}

// The text of the formula, for other checkers.
std::string SearchDriver::formula_text(std::uint32_t T) {
  const auto formula = problem_->formula(T, groups_.back(), PathChoice::all, watch_);
  return dimacs_text(*formula, fmt::format("{} on {} in {}, about {}", collective_.notation(), fabric_.notation(),
                                           amount(T), to_string(problem_->about())));
}

// Finds evidence for a bound that no counting shows: a proof that the formula of one step less is unsatisfiable, if the
// solver finds it in time.
void SearchDriver::prove_bound() {
  const auto& bound = result_.impossibility;
  if (!options_.evidence || options_.engine == Engine::z3 || !bound || bound->steps == 0) return;
  if (bound->by_counting() || bound->by_formula || result_.bounds.front().impossible() || ended()) return;
  if (!problem_)
    attempt([&] { problem_ = make_problem(fabric_, collective_, goal_, watch_); }, [] { return "the paths"; });
  if (!problem_) return;
  if (groups_.empty()) groups_.push_back(trivial_group(fabric_));
  const std::uint32_t T = bound->steps;
  Queries queries{{T, T}, {}};
  prepare_one(groups_.back(), PathChoice::all, queries);
  for (const auto& query : queries.each) {
    say(fmt::format("a proof that {} are too few: {} variables", amount(T), query->variables()));
    const Answer answer = query->solve(T, 0);
    if (answer == Answer::satisfiable)
      throw std::logic_error("SearchDriver::prove_bound: there is a schedule below a bound");
    if (answer != Answer::unsatisfiable) continue;
    refuted(*query, T, bound->reason);
    result_.impossibility->narrowed = {};
  }
}

}  // namespace quadrille::searching
