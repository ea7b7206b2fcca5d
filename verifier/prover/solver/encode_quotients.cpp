// Encodes divisions and operations on binary digits in integers. The quotients are unknowns of their own, with facts
// that give the numbers between which they are.
//
// Example: x xor 4 is x + 4 - 8·(x/4 - 2·(x/8)), where x/4 and x/8 are q and r with 4q <= x < 4q + 4, 8r <= x < 8r + 8,
// and 2r <= q <= 2r + 1.
//
// Cost: an unknown for each number and divisor, and a fact for each pair of divisors of a number.
#include <fmt/format.h>

#include "verifier/prover/solver/encode.h"

namespace quadrille::prover {

// For one number and a constant: x xor c is x + c - 2·(x and c). Numbers without a common digit are one number, their
// sum.
z3::expr Encoder::bitwise_among_integers(Atom atom) {
  std::optional<Integer> mask;
  std::optional<Number> x;
  for (const Number& operand : atom->operands) {
    const auto value = operand.constant();
    if (value && !mask && *value >= 0) {
      mask = numerator(*value);
    } else if (!value && (!x || (atom->kind != AtomKind::bit_and && without_common_digits(*x, operand)))) {
      x = x ? *x + operand : operand;
    } else {
      throw Unsupported{"bitwise operations among integers", {}};
    }
  }
  if (!mask || !x) throw Unsupported{"bitwise operations among integers", {}};
  const z3::expr whole = number(*x);
  z3::expr common = digits_in(*x, *mask);
  if (atom->kind == AtomKind::bit_and) return common;
  return whole + constant(*mask) - (atom->kind == AtomKind::bit_xor ? common + common : common);
}

// Whether one number is certainly a multiple of a power of two that the other, never negative, is below.
bool Encoder::without_common_digits(const Number& x, const Number& y) const {
  const auto below = [&](const Number& small, const Number& large) {
    Integer digits = 0;
    for (const auto& [monomial, factor] : large.terms()) {
      if (denominator(factor) != 1 || !monomial.exponent.empty()) return false;
      digits |= abs(numerator(factor));
    }
    const Integer power = digits & -digits;
    return algebra_.never_negative(small) && algebra_.never_negative(Number(Rational(power - 1)) - small);
  };
  return below(x, y) || below(y, x);
}

// The number x and mask: for each run of ones from digit a up to b, (x / 2^a - x / 2^b · 2^(b-a)) · 2^a.
z3::expr Encoder::digits_in(const Number& x, const Integer& mask) {
  z3::expr sum = constant(0);
  for (unsigned from = 0; (mask >> from) != 0;) {
    if (!bit_test(mask, from)) {
      ++from;
      continue;
    }
    unsigned to = from;
    while (bit_test(mask, to)) ++to;
    const z3::expr above = quotient(x, Integer(1) << to) * constant(Integer(1) << (to - from));
    sum = sum + (quotient(x, Integer(1) << from) - above) * constant(Integer(1) << from);
    from = to;
  }
  return sum;
}

// In integers: the q with by · q <= a < by · q + by. If a is also divided by a multiple of `by`, as by 4 and by 8, a
// fact relates the quotients: a/4 is 2·(a/8), or one more. This follows, but Z3 is slow to see it.
z3::expr Encoder::quotient(const Number& a, const Integer& by) {
  if (by == 1) return number(a);
  const z3::expr value = number(a);
  std::map<Integer, z3::expr>& all = quotients_[a];
  if (const auto known = all.find(by); known != all.end()) return known->second;
  z3::expr result = context_.int_const(fmt::format("quotient!{}", ++auxiliary_).c_str());
  const auto rest_is_below = [&](const z3::expr& rest, const Integer& most) {
    facts_.push_back(rest >= constant(0) && rest < constant(most));
  };
  rest_is_below(value - constant(by) * result, by);
  for (const auto& [other, whole] : all) {
    if (other % by == 0) rest_is_below(result - constant(other / by) * whole, other / by);
    if (by % other == 0) rest_is_below(whole - constant(by / other) * result, by / other);
  }
  all.emplace(by, result);
  return result;
}

// The first and the last quotient that a div b may have, if it is known that there are few: by the numbers' bounds, or
// because a is never below first * b, and below (last + 1) * b.
std::optional<std::pair<Integer, Integer>> Encoder::few_quotients(const Number& a, const Number& b) const {
  constexpr int most = 8;
  constexpr int farthest = 4;
  const auto least = algebra_.lower(b);
  if (!least || *least < 1) return std::nullopt;
  const auto low = algebra_.lower(a);
  const auto high = algebra_.upper(a);
  if (low && high) {
    const Integer first = *low < 0 ? rounded_down(*low / *least) : Integer(0);
    const Integer last = *high < 0 ? Integer(-1) : rounded_down(*high / *least);
    if (last - first <= most) return std::pair(first, last);
  }
  int first = 0;
  while (first >= -farthest && !algebra_.never_negative_by_division(a - b * Number(first))) --first;
  int last = first;
  while (last <= farthest && !algebra_.never_negative_by_division(b * Number(last + 1) - Number(1) - a)) ++last;
  if (first < -farthest || last > farthest) return std::nullopt;
  return std::pair(Integer(first), Integer(last));
}

// Division in integers by a number that is no constant, if few quotients are possible: one of them leaves a rest from
// 0 to b - 1.
z3::expr Encoder::division_in_few(Atom atom) {
  const Number& a = atom->operands[0];
  const Number& b = atom->operands[1];
  const auto quotients = few_quotients(a, b);
  if (!quotients) throw Unsupported{"division by a variable among integers", {}};
  const auto& [first, last] = *quotients;
  const z3::expr value = number(a);
  const z3::expr divisor = number(b);
  ++auxiliary_;
  const z3::expr quotient = context_.int_const(fmt::format("quotient!{}", auxiliary_).c_str());
  const z3::expr rest = context_.int_const(fmt::format("rest!{}", auxiliary_).c_str());
  z3::expr_vector ways(context_);
  for (Integer q = first; q <= last; ++q) {
    ways.push_back(quotient == constant(q) && rest == value - constant(q) * divisor);
  }
  facts_.push_back(z3::mk_or(ways));
  facts_.push_back(rest >= constant(0) && rest < divisor);
  return atom->kind == AtomKind::remainder ? rest : quotient;
}

}  // namespace quadrille::prover
