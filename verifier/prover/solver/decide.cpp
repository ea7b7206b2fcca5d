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
#include <chrono>
#include <stdexcept>
#include <tuple>

#include "verifier/prover/problem/sampling.h"
#include "verifier/prover/solver/encode.h"
#include "verifier/prover/solver/question.h"

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
  } catch (const NotEncodable&) {
    return false;
  } catch (const GivenUp&) {
    return false;
  } catch (const z3::exception&) {
    return false;
  }
  return decision.verdict == ProofVerdict::proved;
}

// Decides in exact numbers: a short try at everything at once, then case by case, then everything at once for longer.
void ask_exactly(const Algebra& algebra, const Obligation& obligation, const std::vector<Atom>& small,
                 const SolverEffort& effort, Decision& decision) {
  constexpr std::size_t many_cases = 1500;
  constexpr unsigned few_conflicts = 2'000;
  try {
    return ask(algebra, obligation, small, effort, few_conflicts, decision);
  } catch (const GivenUp&) {
    if (effort.interrupter.reached() != Reason::none || !speaks_of_bits(obligation)) throw;
  } catch (const NotEncodable&) {
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
  } catch (const GivenUp&) {
    if (effort.interrupter.reached() != Reason::none) throw;
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

void give_up(Decision& decision, Reason reason, std::string why) {
  decision.verdict = ProofVerdict::unknown;
  decision.reason = reason;
  decision.why = std::move(why);
}

void try_means(const Algebra& algebra, const Obligation& obligation, const std::vector<Atom>& small,
               const SolverEffort& effort, Decision& decision) {
  if (obligation.must == algebra.truth(true)) {
    decision.verdict = ProofVerdict::proved;
    decision.theory = {Theory::algebra};
  } else if (!decided_by_axioms(algebra, obligation, effort, decision)) {
    decision = {};
    if (const Reason reason = effort.interrupter.reached(); reason != Reason::none)
      throw GivenUp{reason, why_of(reason)};
    ask_exactly(algebra, obligation, small, effort, decision);
  }
  if (decision.verdict == ProofVerdict::proved) show_premises(algebra, obligation, effort, decision);
}

// Tries all means; an exception becomes the reason.
void try_all_means(const Algebra& algebra, const Obligation& obligation, const std::vector<Atom>& small,
                   const SolverEffort& effort, Decision& decision) {
  try {
    try_means(algebra, obligation, small, effort, decision);
  } catch (const NotEncodable& problem) {
    give_up(decision, Reason::unsupported, problem.reason);
  } catch (const GivenUp& problem) {
    give_up(decision, problem.reason, problem.why);
  } catch (const z3::exception& problem) {
    const Reason reached = effort.interrupter.reached();
    give_up(decision, reached == Reason::none ? Reason::limit : reached, fmt::format("Z3: {}", problem.msg()));
  } catch (const std::exception& problem) {
    Failure failure = failure_of(problem);
    give_up(decision, failure.reason, std::move(failure.why));
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
    const Reason reached = effort.interrupter.reached();
    if (reached == Reason::none) {
      give_up(decision, Reason::unsupported, "no values are known that it speaks of" + why);
    } else {
      give_up(decision, reached, why_of(reached));
    }
  }
  decision.seconds = seconds_since(start);
  return decision;
}

}  // namespace quadrille::prover
