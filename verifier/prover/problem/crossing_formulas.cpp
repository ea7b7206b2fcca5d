// Puts the schedule's numbers into a topology's terms, as formulas and as values.
//
// Example: on ring(N), is (i + 1) mod N a neighbour of i? The term hops == 1 has i, (i + 1) mod N and N as source,
// target and parameter 0. At small sizes it is true everywhere, so an obligation says that it is.
#include "verifier/prover/problem/crossing_formulas.h"

#include <limits>

#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {
namespace {

constexpr std::size_t most_instances = 2000;  // of a size

// The number in 64 bits, with room for the terms' own sums.
std::optional<std::int64_t> in_64_bits(const Integer& x) {
  if (x < std::numeric_limits<std::int64_t>::min() / 4 || x > std::numeric_limits<std::int64_t>::max() / 4)
    return std::nullopt;
  return static_cast<std::int64_t>(x);
}

// Whether one of the first few packets of the family goes further at this size.
bool goes_further(const BoundCrossings& crossings, const Family& family, Assignment values) {
  std::size_t tried = 0;
  bool further = false;
  for_each_value(family.variables, values, [&] {
    if (evaluate(family.given, values)) {
      const Integer source = evaluate(family.source, values);
      const Integer target = evaluate(family.target, values);
      const auto hops = value_of(crossings.crossings.hops, crossings, source, target, 0, values);
      further = source != target && hops && *hops != 1;
    }
    return !further && ++tried < most_instances;
  });
  return further;
}

}  // namespace

TermFormulas crossing_formulas(Algebra& algebra, const BoundCrossings& crossings, const Number& source,
                               const Number& target, const Number& index) {
  return {algebra, {crossings.parameters, source, target, index, true}};
}

std::vector<Formula> packet_rules(Algebra& algebra, const BoundCollective& collective, const Number& origin,
                                  const std::optional<Number>& addressee) {
  TermFormulas named(algebra, {collective.parameters, origin, addressee.value_or(Number(0))});
  std::vector<Formula> all;
  for (const PacketRule& rule : collective.terms.rules) all.push_back(named.truth(rule.must));
  return all;
}

SymbolicCrossing passage_of(Algebra& algebra, const BoundCrossings& crossings, const ChannelClass& each,
                            const Number& source, const Number& target, const std::string& suffix,
                            const std::optional<Number>& index) {
  TermFormulas range = crossing_formulas(algebra, crossings, source, target);
  const Number first = range.number(each.first);
  const Number last = range.number(each.last);
  SymbolicCrossing result;
  if (index || first == last) {
    result.index = index.value_or(first);
  } else {
    result.variables.push_back(algebra.variable("channel" + suffix, first, last));
    result.index = Number(result.variables.front());
  }
  const Formula crossed = crossing_formulas(algebra, crossings, source, target, result.index).truth(each.crossed);
  result.given =
      algebra.conjunction({algebra.at_most(first, result.index), algebra.at_most(result.index, last), crossed});
  return result;
}

Formula to_a_neighbour(Algebra& algebra, const BoundCrossings& crossings, const Number& source, const Number& target) {
  return crossing_formulas(algebra, crossings, source, target).truth(terms::equal(crossings.crossings.hops, 1));
}

std::optional<TermValues> term_values(const BoundCrossings& crossings, const Integer& source, const Integer& target,
                                      const Integer& index, const Assignment& values) {
  TermValues concrete;
  const auto from = in_64_bits(source);
  const auto to = in_64_bits(target);
  const auto at = in_64_bits(index);
  if (!from || !to || !at || *from < 0 || *to < 0) return std::nullopt;
  concrete.source = *from;
  concrete.target = *to;
  concrete.index = *at;
  for (const Number& parameter : crossings.parameters) {
    const auto value = in_64_bits(evaluate(parameter, values));
    if (!value) return std::nullopt;
    concrete.parameters.push_back(*value);
  }
  if (quadrille::evaluate(crossings.crossings.valid, concrete) == 0) return std::nullopt;
  return concrete;
}

std::optional<std::int64_t> value_of(const Term& term, const BoundCrossings& crossings, const Integer& source,
                                     const Integer& target, const Integer& index, const Assignment& values) {
  const auto concrete = term_values(crossings, source, target, index, values);
  return concrete ? std::optional(quadrille::evaluate(term, *concrete)) : std::nullopt;
}

bool seems_to_go_to_neighbours(const Problem& problem, const Family& family, Formula always) {
  const BoundCrossings& crossings = *problem.machine.crossings;
  for (const Assignment& values : small_sizes(problem, always)) {
    if (goes_further(crossings, family, values)) return false;
  }
  return true;
}

}  // namespace quadrille::prover
