// A family's apex level is found by trying. The sends of small sizes are generated, and the first simple number is
// taken that equals the length of `source xor target` in all of them.
//
// Example: "for h in 1..L: send 0 -> 2^(h-1)": at small sizes 0 xor 2^(h-1) has h digits, so the apex is h.
//
// Cost: up to 2000 sends for each family and candidate; candidates are five for each variable.
#include <fmt/format.h>

#include <algorithm>

#include "verifier/prover/obligations/lower_bounds.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {
namespace {

constexpr std::size_t most_instances = 2000;
constexpr std::size_t most_tried = 10'000;  // of one size

// The sends (and targets) of the family at small sizes.
std::vector<Assignment> instances(const Problem& problem, const Family& family, const std::vector<Atom>& variables,
                                  Formula always) {
  std::vector<Assignment> found;
  for (Assignment& values : small_sizes(problem, always)) {
    for (const Clock& clock : problem.clocks) {
      if (clock.length) values[*clock.length] = evaluate(*(*clock.length)->last, values);
    }
    std::size_t tried = 0;
    for_each_value(variables, values, [&] {
      if (evaluate(family.given, values) && evaluate(family.destinations_given, values)) found.push_back(values);
      return found.size() < most_instances && ++tried < most_tried;
    });
  }
  return found;
}

}  // namespace

std::vector<Obligation> find_apexes(Algebra& algebra, Problem& problem) {
  std::vector<Obligation> obligations;
  if (!problem.machine.levels) return obligations;
  for (Family& family : problem.families) {
    const std::vector<Atom> variables = joined(family.variables, family.destinations);
    const Number level = algebra.bits(algebra.bitwise(AtomKind::bit_xor, family.source, family.target));
    const auto sends = instances(problem, family, variables, algebra.truth(true));
    if (sends.empty()) continue;
    for (const Number& candidate : simple_numbers(joined(open_parameters(problem), variables))) {
      const bool fits = std::ranges::all_of(
          sends, [&](const Assignment& values) { return evaluate(level, values) == evaluate(candidate, values); });
      if (!fits) continue;
      family.apex = candidate;
      // The level is guessed from small sizes. So an obligation says that it is right, as for every statement about
      // all sizes.
      obligations.push_back(
          asking(proof_step(ProvedProperty::contention_free, "turn",
                            fmt::format("every packet turns at level {}", to_string(candidate)), family.span),
                 {variables, algebra.conjunction({family.given, family.known, family.destinations_given}),
                  algebra.equal(level, candidate)}));
      obligations.back().about_apexes = true;
      break;
    }
  }
  return obligations;
}

}  // namespace quadrille::prover
