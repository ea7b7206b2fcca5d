// The conditions under which the schedule means anything: those that unfolding has left, and that steps start with 1.
// And an assumption of the other obligations: packets that are taken for one-hop packets are such packets.
//
// Example: "at n - d: send 0 -> d" with d in 1..n: for d = n the packet would start in step 0, so it is refuted.
//
// Cost: an obligation for each condition and family; each is asked once, however often it occurs.
#include <fmt/format.h>

#include <algorithm>

#include "verifier/prover/obligations/explanation.h"
#include "verifier/prover/obligations/writing.h"
#include "verifier/prover/problem/crossing_formulas.h"

namespace quadrille::prover {

void Writing::add(Obligation obligation) const {
  const auto same = [&](const Obligation& other) {
    return other.given == obligation.given && other.must == obligation.must && other.scope == obligation.scope &&
           other.meaning == obligation.meaning;
  };
  if (std::ranges::none_of(obligations, same)) obligations.push_back(std::move(obligation));
}

void write_well_formed(const Writing& writing) {
  Algebra& algebra = writing.algebra;
  const Machine& machine = writing.problem.machine;
  for (const Condition& condition : writing.problem.conditions) {
    writing.add({.property = ProvedProperty::well_formed,
                 .name = condition.words,
                 .meaning = condition.words + ", always",
                 .scope = condition.scope,
                 .given = condition.given,
                 .must = condition.must,
                 .span = condition.span,
                 .exact = !condition.basic,
                 .explanation = condition.failure.empty() ? Explanation() : worded(condition.failure, condition.number),
                 .basic = condition.basic});
  }
  for (const Family& family : writing.problem.families) {
    SymbolicFlight any = flight(family, machine);
    any.message = machine.rounds;
    const auto write = [&](const char* name, std::string meaning, bool exact, Formula given, Formula must) {
      Obligation about = proof_step(ProvedProperty::well_formed, name, std::move(meaning), family.span);
      about.exact = exact;
      about.explanation = sent(any);
      writing.add(std::move(about), {family.variables, given, must});
    };
    const Formula given = algebra.conjunction({family.given, family.known});
    write(machine.rounds ? "starts at round 1 or later" : "starts at step 1 or later",
          machine.rounds ? "no message starts before round 1" : "no packet starts before step 1", true, given,
          algebra.at_least_zero(family.start - Number(1)));
    if (!family.to_neighbours) continue;
    write("goes to a neighbour", fmt::format("every packet goes to a neighbour on the {}", machine.kind), false, given,
          to_a_neighbour(algebra, *machine.crossings, family.source, family.target));
  }
}

}  // namespace quadrille::prover
