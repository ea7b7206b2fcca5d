// Answers questions about all families: how long their packets are under way, and which of them are the same
// messages.
#include "verifier/prover/problem/problem.h"

#include <algorithm>

#include "verifier/prover/problem/crossing_formulas.h"

namespace quadrille::prover {

NumberInDigits any_number(Algebra& algebra, const std::string& name, const std::vector<Number>& factors) {
  NumberInDigits result;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const std::string digit = i + 1 == factors.size() ? name : name + std::to_string(factors.size() - 1 - i);
    result.digits.push_back(algebra.variable(digit, Number(0), factors[i] - Number(1)));
    result.number = result.number * factors[i] + Number(result.digits.back());
  }
  return result;
}

void put_digits(Algebra& algebra, const std::vector<Atom>& digits, const Number& value, Substitution& by) {
  Number left = value;
  for (std::size_t i = digits.size(); i-- > 0;) {
    const Number size = *digits[i]->last + Number(1);
    by[digits[i]] = i == 0 ? left : algebra.remainder(left, size);
    if (digits.size() > 1) left = algebra.divide(left, size);
  }
}

Number duration(Algebra& algebra, const Machine& machine, const Family& family) {
  if (machine.rounds || family.to_neighbours) return Number(1);
  return family.apex ? Number(2) * *family.apex : hops(algebra, machine, family.source, family.target);
}

std::vector<Atom> delivery_variables(const Family& family) {
  return joined(family.variables, family.destinations, family.chunks);
}

std::vector<Atom> packet_variables(const Family& family) { return joined(family.variables, family.chunks); }

std::vector<const Family*> one_of_each_message(const Problem& problem) {
  std::vector<const Family*> result;
  for (const Family& family : problem.families) {
    // A send to a list is several families of messages, and each of these may have several families of chunks.
    const bool seen = std::ranges::any_of(
        result, [&](const Family* other) { return family.message != 0 && other->message == family.message; });
    if (!seen) result.push_back(&family);
  }
  return result;
}

// Answers the questions of families, times and obligations to the machine: how far packets go, and past which nodes.
//
// Example: on a binary tree a packet from 1 to 2 climbs to level 2, the length of 1 xor 2 = 3, and comes down: 4 hops.

Number hops(Algebra& algebra, const Machine& machine, const Number& source, const Number& target) {
  if (machine.crossings)
    return crossing_formulas(algebra, *machine.crossings, source, target).number(machine.crossings->crossings.hops);
  return Number(2) * algebra.bits(algebra.bitwise(AtomKind::bit_xor, source, target));
}

bool without_switches(const Machine& machine) {
  if (!machine.crossings) return false;
  const auto& classes = machine.crossings->crossings.classes;
  return std::ranges::all_of(classes, [](const ChannelClass& each) {
    return each.from_switch.level == Term(0) && each.to_switch.level == Term(0);
  });
}

// Remembers the checker's verdict on each size: several obligations ask about the same sizes, and a run is not cheap.

std::optional<bool> CheckedSizes::hold(const Arguments& size) {
  if (!holds_at_) return std::nullopt;
  const std::lock_guard lock(mutex_);
  const auto [place, fresh] = known_.emplace(size, std::nullopt);
  if (fresh) place->second = holds_at_(size);
  return place->second;
}

Arguments Subject::at(const Assignment& size) const {
  Arguments result = arguments;
  for (const ProblemParameter& parameter : problem.parameters) {
    if (parameter.variable) result[parameter.name] = evaluate(parameter.value, size).str();
  }
  return result;
}

}  // namespace quadrille::prover
