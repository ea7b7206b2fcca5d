// Formulas: which are asked, in which order, and what their answers mean.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "model/counted.h"
#include "verifier/check.h"
#include "verifier/search/dimacs.h"
#include "verifier/search/gate.h"
#include "verifier/search/hunt.h"

namespace quadrille::searching {
namespace {

constexpr std::uint64_t first_conflicts = 200;
constexpr std::uint32_t reach = 1;  // so many steps less, too, are decided by a formula; more of them take longer
constexpr std::uint64_t most_variables = std::uint64_t{1} << 28;

}  // namespace

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
// has decided T - 1 may have to decide T + 1, too; and one for the most steps that may be asked for, T - 1, when it
// finds a schedule. Where neither can be, a solver is the faster without the choice.
Attempt::Range Hunt::steps_around(std::uint32_t T) const {
  if (options_.evidence) return {T, T};
  const auto least = static_cast<std::uint32_t>(std::max<std::uint64_t>(result_.lower_bound, 1));
  const bool climbing = T == least && result_.impossibility && result_.impossibility->by_formula;
  if (climbing) return {T, std::min(T + reach, most_steps())};
  return {goal_.steps ? T : std::max(T - std::min(T, reach), least), T};
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
    too_large_ = too_large(fmt::format("{} in {}", problem_->size_text(size), counted(T, "step")));
  }
}

std::string Hunt::too_large(const std::string& what) const {
  constexpr double mib = 1 << 20;
  return fmt::format("{} do not fit into {:.0f} MiB of memory; more memory, or fewer chunks or processors, would help",
                     what, std::ceil(static_cast<double>(options_.memory) / mib));
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

}  // namespace quadrille::searching
