// Decides an obligation. The cheapest means come first: equal normal forms; the obligation's shortcut; the axioms of
// powers, which answer quickly or not at all; and Z3 in exact numbers. A proved obligation is then shown not to be
// vacuous: values are found with which `given` holds, and the obligation is evaluated with them once more.
//
// Example: "no two packets cross one channel in the same step" of a scatter. The axioms of powers do not decide it;
// bit-vectors of 66 bits do; and L = 1, d = 1 shows that it is not vacuous.
//
// Cost: `effort` in Z3's resource units for each question; at most two questions take long.
#include "verifier/prover/solver/decide.h"

#include <fmt/format.h>
#include <z3++.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <tuple>

#include "verifier/prover/solver/cases.h"
#include "verifier/prover/solver/encode.h"

namespace quadrille::prover {
namespace {

using SteadyClock = std::chrono::steady_clock;

// The effort for questions that are answered quickly or not at all: some tenths of a second of Z3.
constexpr std::uint32_t quick_effort = 10'000'000;

double seconds_since(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

// Notes the variable and those of its range.
void note(Atom atom, Variables& found) {
  found.insert(atom);
  Variables inside;
  for (const auto* end : {&atom->first, &atom->last}) {
    if (*end) collect_variables(**end, inside);
  }
  for (const Atom older : inside) {
    if (found.count(older) == 0) note(older, found);
  }
}

// Decides by the axioms of powers. False if they are not enough, or if there are no powers.
bool decided_by_axioms(const Algebra& algebra, const Obligation& obligation, const SolverEffort& effort,
                       Decision& decision) {
  try {
    ask_by_axioms(algebra, obligation, effort.at_most(quick_effort), decision);
    return decision.verdict == ProofVerdict::proved;
  } catch (const Unsupported&) {
  } catch (const Failure&) {
  } catch (const z3::exception&) {
  }
  return false;
}

// Decides in exact numbers: a short try at everything at once, then case by case, then everything at once for longer.
void ask_exactly(const Algebra& algebra, const Obligation& obligation, const std::vector<Atom>& small,
                 const SolverEffort& effort, Decision& decision) {
  constexpr std::size_t many_cases = 1500;
  constexpr unsigned few_conflicts = 2'000;
  try {
    return ask(algebra, obligation, small, effort, few_conflicts, decision);
  } catch (const Failure&) {
    if (effort.watch.reached() != Reason::none || !speaks_of_bits(obligation)) throw;
  } catch (const Unsupported&) {
    if (!ask_by_cases(algebra, obligation, small, effort, many_cases, decision)) throw;
    return;
  }
  decision = {};
  if (ask_by_cases(algebra, obligation, small, effort, many_cases, decision)) return;
  decision = {};
  ask(algebra, obligation, small, effort, most_conflicts, decision);
}

// Values with which `given` holds, or that there are none; unknown if neither is found.
std::pair<bool, std::optional<Assignment>> premises_of(const Algebra& algebra, const Obligation& obligation,
                                                       const SolverEffort& effort) {
  Obligation never = obligation;
  never.must = algebra.truth(false);
  Decision decision;
  try {
    ask_exactly(algebra, never, {}, effort, decision);
  } catch (const Failure&) {
    if (effort.watch.reached() != Reason::none) throw;
    return {true, std::nullopt};
  }
  if (decision.verdict == ProofVerdict::proved) return {false, std::nullopt};
  return {true, decision.counterexample};
}

// For a proved obligation, finds values that it is about, by trying or by Z3 in exact numbers, or shows that there
// are none.
void show_premises(const Algebra& algebra, const Obligation& obligation, const SolverEffort& effort,
                   Decision& decision) {
  if (obligation.must == algebra.truth(false)) {  // that there are none is what was proved
    decision.vacuous = true;
    return;
  }
  auto values = some_values(all_variables(obligation), obligation.given);
  if (!values) {
    bool any = true;
    std::tie(any, values) = premises_of(algebra, obligation, effort);
    if (!any) decision.vacuous = true;
  }
  if (!values) return;
  if (!evaluate(obligation.given, *values) || !evaluate(obligation.must, *values))
    throw std::logic_error("what is proved fails with some values");
  decision.vacuous = false;
}

void give_up(Decision& decision, Failure failure) {
  decision.verdict = ProofVerdict::unknown;
  decision.reason = failure.reason;
  decision.why = std::move(failure.why);
}

void try_means(const Algebra& algebra, const Obligation& obligation, const std::vector<Atom>& small,
               const SolverEffort& effort, Decision& decision) {
  if (obligation.must == algebra.truth(true)) {
    decision.verdict = ProofVerdict::proved;
    decision.theory = {Theory::algebra};
  } else if (!decided_by_axioms(algebra, obligation, effort, decision)) {
    decision = {};
    effort.watch.require_open();
    ask_exactly(algebra, obligation, small, effort, decision);
  }
  if (decision.verdict == ProofVerdict::proved) show_premises(algebra, obligation, effort, decision);
}

// Tries all means; an exception becomes the reason.
void try_all_means(const Algebra& algebra, const Obligation& obligation, const std::vector<Atom>& small,
                   const SolverEffort& effort, Decision& decision) {
  try {
    try_means(algebra, obligation, small, effort, decision);
  } catch (const Unsupported& problem) {
    give_up(decision, {Reason::unsupported, problem.reason});
  } catch (const Failure& problem) {
    give_up(decision, problem);
  } catch (const Ended& end) {
    give_up(decision, {end.reason, why_of(end.reason)});
  } catch (const z3::exception& problem) {
    const Reason reached = effort.watch.reached();
    give_up(decision, {reached == Reason::none ? Reason::limit : reached, fmt::format("Z3: {}", problem.msg())});
  } catch (const std::exception& problem) {
    give_up(decision, failure_of(problem));
  }
}

}  // namespace

std::string why_of(Reason reason) {
  if (reason == Reason::limit) return "it needs more memory than it was given";
  return reason == Reason::timeout ? "the time was up" : "interrupted";
}

Reason more_telling(Reason a, Reason b) {
  for (const Reason reason :
       {Reason::internal, Reason::unsupported, Reason::cancelled, Reason::timeout, Reason::limit}) {
    if (a == reason || b == reason) return reason;
  }
  return Reason::none;
}

Failure failure_of(const std::exception& problem) {
  if (dynamic_cast<const std::overflow_error*>(&problem) != nullptr) return {Reason::limit, problem.what()};
  return {Reason::internal, fmt::format("a fault of the prover: {}", problem.what())};
}

void limit_memory(std::uint64_t bytes) {
  constexpr std::uint64_t least = 64;  // MB; with less Z3 does not start
  const std::uint64_t megabytes = std::clamp<std::uint64_t>(bytes >> 20, least, 1U << 30);
  Z3_global_param_set("memory_max_size", std::to_string(megabytes).c_str());
}

std::vector<Atom> all_variables(const Obligation& obligation) {
  Variables variables(obligation.scope.begin(), obligation.scope.end());
  collect_variables(obligation.given, variables);
  collect_variables(obligation.must, variables);
  const Variables found = variables;
  for (const Atom atom : found) note(atom, variables);
  return {variables.begin(), variables.end()};
}

Decision decide(const Algebra& algebra, const Obligation& obligation, const std::vector<Atom>& small,
                const SolverEffort& effort) {
  if (obligation.shortcut) {
    // The shortcut implies the obligation, and Z3 may find it easier. If the shortcut fails, that says nothing.
    Obligation shorter = obligation;
    shorter.must = shorter.shortcut->must;
    shorter.shortcut.reset();
    Decision decision = decide(algebra, shorter, {}, effort.at_most(quick_effort));
    decision.by_shortcut = true;
    if (decision.verdict == ProofVerdict::proved) return decision;
  }
  Decision decision;
  const auto start = SteadyClock::now();
  try_all_means(algebra, obligation, small, effort, decision);
  // It is not known whether any values satisfy the premises. A proof that may be vacuous is not relied on.
  if (decision.verdict == ProofVerdict::proved && !decision.vacuous) {
    const std::string why = decision.why.empty() ? "" : fmt::format(" ({})", decision.why);
    const Reason reached = effort.watch.reached();
    if (reached == Reason::none) {
      give_up(decision, {Reason::unsupported, "no values are known that it speaks of" + why});
    } else {
      give_up(decision, {reached, why_of(reached)});
    }
  }
  decision.seconds = seconds_since(start);
  return decision;
}

// Turns the steps of a bound (bounds.cpp) into obligations. The bound itself need not be trusted, because each step
// is proved.
//
// Example: two packets with d' > d start at n - d and n - d'. The obligation says "the difference is at least d' - d,
// so at least 1".
//
// Cost: an obligation for each variable; one question of 5 million of Z3's resource units if no end of a range is the
// worst.

namespace {

constexpr std::size_t most_in_chain = 3;
constexpr std::uint32_t effort_of_chain = 5'000'000;  // of Z3, in its resource units

// The obligation that the number is large enough, with the variables that it contains.
Obligation large_enough(Algebra& algebra, const Number& x, int least, const Obligation& like) {
  Obligation end = like;
  end.explanation = {};
  end.given = algebra.truth(true);
  end.must = algebra.at_least_zero(x - Number(least));
  if (!x.constant()) {
    end.scope.clear();
    end.scope = all_variables(end);
  }
  return end;
}

// Decides a descent that has ended before it came to a number: whether it has few variables, and is large enough.
bool seems_and_is_large_enough(Algebra& algebra, const Obligation& end, Watch& watch) {
  if (end.scope.size() > most_in_chain || some_values(end.scope, algebra.negation(end.must))) return false;
  return decide(algebra, end, {}, {watch, effort_of_chain}).verdict == ProofVerdict::proved;
}

}  // namespace

bool add_chain(Algebra& algebra, const Number& x, int least, const std::string& what, const Obligation& like,
               std::vector<Obligation>& obligations, Watch& watch) {
  watch.require_open();
  const auto steps = algebra.descent(x);
  Obligation end = large_enough(algebra, steps.back(), least, like);
  const auto number = steps.back().constant();
  if (number ? *number < least : !seems_and_is_large_enough(algebra, end, watch)) return false;
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    Obligation step = asking(like, {like.scope, algebra.truth(true), algebra.at_most(steps[i + 1], steps[i])});
    step.name += " (bound)";
    step.explanation = {};
    step.meaning = fmt::format("{} is at least {}, so at least {}", what, to_string(steps[i]), to_string(steps[i + 1]));
    step.exact = false;
    obligations.push_back(std::move(step));
  }
  obligations.push_back(std::move(end));
  return true;
}

// Threads take the obligations in their order, one after another. If several obligations ask the same (claims may
// build on the same times), the first one is decided for all of them.
//
// Example: two claims about `steps` build on the same "no packet arrives after step n - 1": Z3 is asked once.
//
// Cost: the sum of the costs of decide(), divided among the threads.

namespace {

bool asks_the_same(const Obligation& a, const Obligation& b) {
  return a.given == b.given && a.must == b.must && a.scope == b.scope;
}

// For each obligation, the index of the first one that asks the same.
std::vector<std::size_t> first_alike(const std::vector<Obligation>& obligations) {
  std::vector<std::size_t> result(obligations.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    while (!asks_the_same(obligations[i], obligations[result[i]])) ++result[i];
  }
  return result;
}

Decision left_open(Reason reason, std::string why) {
  Decision decision;
  give_up(decision, {reason, std::move(why)});
  return decision;
}

// Several threads use one object.
class Discharge {
 public:
  Discharge(const Algebra& algebra, const Discharging& how, std::size_t obligations)
      : algebra_(algebra), how_(how), obligations_(obligations) {}

  // Decides an obligation. It throws nothing.
  Decision decided(const Obligation& obligation) {
    if (enough_) return left_open(Reason::cancelled, "not asked after a refutation");
    const Reason reached = how_.effort.watch.reached();
    if (reached != Reason::none) return left_open(reached, why_of(reached));
    how_.effort.watch.report({.stage = "proving", .done = done_++, .of = obligations_, .unit = "obligations"});
    Decision decision = decide(algebra_, obligation, how_.small, how_.effort);
    try {
      if (how_.enough && how_.enough(obligation, decision)) enough_ = true;
    } catch (const std::exception& problem) {
      give_up(decision, failure_of(problem));
    }
    return decision;
  }

  bool enough() const { return enough_; }

 private:
  const Algebra& algebra_;
  const Discharging& how_;
  std::size_t obligations_;
  std::atomic<std::uint64_t> done_ = 0;
  std::atomic<bool> enough_ = false;
};

}  // namespace

Decisions discharge(const Algebra& algebra, const std::vector<Obligation>& obligations, const Discharging& how) {
  std::vector<Decision> decisions(obligations.size());
  const std::vector<std::size_t> alike = first_alike(obligations);
  Discharge discharge(algebra, how, obligations.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < obligations.size(); i = next++) {
      if (alike[i] == i) decisions[i] = discharge.decided(obligations[i]);
    }
  };
  std::vector<std::thread> helpers;
  for (unsigned i = 1; i < how.threads; ++i) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
  for (std::size_t i = 0; i < alike.size(); ++i) decisions[i] = decisions[alike[i]];
  return {std::move(decisions), discharge.enough()};
}

}  // namespace quadrille::prover
