// Comparisons and their combinations, in normal form; and substitution. A comparison depends only on the difference
// of its sides, without common factors and powers of two.
//
// Example: 2^(h+1) <= 2^h·k is k - 2 >= 0.
//
// Cost: linear in the terms; a conjunction is sorted.
#include <algorithm>
#include <iterator>

#include "verifier/prover/algebra/algebra.h"
#include "verifier/prover/algebra/rewriting.h"

namespace quadrille::prover {
namespace {

// The power of two that all monomials share: the common part of each atom's exponents.
std::map<Atom, Integer, AtomOrder> common_exponent(const Number& x) {
  std::map<Atom, Integer, AtomOrder> common = x.terms().begin()->first.exponent;
  for (const auto& [monomial, factor] : x.terms()) {
    for (auto& [atom, times] : common) {
      const auto own = monomial.exponent.find(atom);
      const Integer here = own == monomial.exponent.end() ? Integer(0) : own->second;
      if ((here > 0) != (times > 0) || here == 0) {
        times = 0;
      } else if (abs(here) < abs(times)) {
        times = here;
      }
    }
  }
  return common;
}

}  // namespace

// x without the powers of two that all its terms have; x itself, if the rest might be no integer.
Number Algebra::lighter(const Number& x) const {
  Number result;
  const auto common = common_exponent(x);
  for (const auto& [monomial, factor] : x.terms()) {
    Monomial rest = monomial;
    for (const auto& [atom, times] : common) {
      if (times == 0) continue;
      Integer& exponent = rest.exponent[atom];
      exponent -= times;
      if (exponent == 0) rest.exponent.erase(atom);
    }
    const bool untouched = rest == monomial;
    if (!untouched && !never_negative(exponent_of(rest))) return x;
    result.add(rest, factor);
  }
  return result;
}

// x times a positive number that makes its coefficients integers without a common factor.
Number Algebra::primitive(const Number& x) const {
  if (x.terms().empty()) return x;
  const Number light = lighter(x);
  Integer divisor = 0;
  const Integer below = light.denominator();
  for (const auto& [monomial, factor] : light.terms()) {
    divisor = gcd(divisor, Integer(numerator(Rational(factor * below))));
  }
  Number result = light * Number(Rational(below, abs(divisor)));
  if (whole(result)) return result;
  // 4 · 2^-x may be an integer where 2^-x is not.
  return light * Number(Rational(below, abs(divisor) >> static_cast<unsigned>(lsb(Integer(abs(divisor))))));
}

Formula Algebra::at_least_zero(const Number& x) {
  if (const auto value = x.constant()) return truth(*value >= 0);
  // Comparisons that the ranges decide need no solver.
  if (compare_by_bounds_ && never_negative(x)) return true_;
  if (compare_by_bounds_ && never_negative(-x - Number(1))) return false_;
  return keep({FormulaNodeKind::positive, 0, false, primitive(x), {}});
}

Formula Algebra::equal(const Number& a, const Number& b) {
  if (const auto reduced = equal_bits(a, b)) return *reduced;
  if (const auto parts = equal_parts(a, b)) return *parts;
  Number difference = primitive(a - b);
  if (const auto value = difference.constant()) return truth(*value == 0);
  if (compare_by_bounds_ && (never_negative(difference - Number(1)) || never_negative(-difference - Number(1)))) {
    return false_;
  }
  // x == y and y == x are one formula.
  if (difference.terms().begin()->second < 0) difference = -difference;
  return keep({FormulaNodeKind::zero, 0, false, difference, {}});
}

// The xor of the operands, as a sum if no two have a binary digit in common.
Number Algebra::xor_of(const std::vector<Number>& operands) {
  Number sum;
  Number bits;
  for (const Number& x : operands) {
    sum = sum + x;
    bits = bitwise(AtomKind::bit_xor, bits, x);
  }
  std::vector<Number> parts = apart(sum);
  std::sort(parts.begin(), parts.end());
  return parts == operands ? sum : bits;
}

// x xor z == y xor z if x == y.
std::optional<Formula> Algebra::equal_bits(const Number& a, const Number& b) {
  const auto x = a.atom();
  const auto y = b.atom();
  if (!x || !y || (*x)->kind != AtomKind::bit_xor || (*y)->kind != AtomKind::bit_xor) return std::nullopt;
  const Number rest = bitwise(AtomKind::bit_xor, a, b);
  if (rest == Number(0)) return true_;
  std::vector<Number> left, right;
  const auto& of_a = (*x)->operands;  // sorted
  const auto& of_b = (*y)->operands;
  std::set_difference(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(left));
  std::set_difference(of_b.begin(), of_b.end(), of_a.begin(), of_a.end(), std::back_inserter(right));
  const Number without_a = xor_of(left);
  const Number without_b = xor_of(right);
  if (!(without_a == a) && !(without_b == b)) return equal(without_a, without_b);
  const auto atom = rest.atom();
  if (!atom || (*atom)->kind != AtomKind::bit_xor || (*atom)->operands.size() != 2) return std::nullopt;
  return equal((*atom)->operands[0], (*atom)->operands[1]);
}

std::optional<Formula> Algebra::equal_parts(const Number& a, const Number& b) {
  const auto parts = parts_of_equation(a, b);
  if (!parts) return std::nullopt;
  std::vector<Formula> all;
  for (const auto& [one, other] : *parts) all.push_back(equal(one, other));
  return conjunction(all);
}

// q · m + r == p · m + s if q == p and r == s, where 0 <= r, s < m; m is a power of two, or a variable.
std::optional<std::vector<std::pair<Number, Number>>> Algebra::parts_of_equation(const Number& a,
                                                                                 const Number& b) const {
  const auto by = [&](const Number& m) -> std::optional<std::vector<std::pair<Number, Number>>> {
    const Split x = split(a, m);
    const Split y = split(b, m);
    if (x.rest == a || (x.rest == Number(0) && y.rest == Number(0))) return std::nullopt;
    // The rest of q · m + m - 1 - r is split off as -1 - r.
    const auto with_rest_below = [&](const Split& it) -> std::optional<Split> {
      for (const int more : {0, 1, -1}) {
        const Number rest = it.rest + m * Number(more);
        if (never_negative(rest) && never_negative(m - Number(1) - rest))
          return Split{it.quotient - Number(more), rest};
      }
      return std::nullopt;
    };
    const auto left = with_rest_below(x);
    const auto right = with_rest_below(y);
    if (!left || !right || left->rest == a) return std::nullopt;
    return std::vector<std::pair<Number, Number>>{{left->quotient, right->quotient}, {left->rest, right->rest}};
  };
  for (const auto& [monomial, factor] : a.terms()) {
    const Number term(monomial, factor);
    const Number power = power_in(term);
    if (!(power == Number(1)) && is_power_of_two(power)) {
      if (auto parts = by(power)) return parts;
    }
    for (const auto& [atom, times] : monomial.powers) {
      const bool product = monomial.powers.size() > 1 || times > 1;
      if (!product || atom->kind != AtomKind::variable || !never_negative(Number(atom) - Number(1))) continue;
      if (auto parts = by(Number(atom))) return parts;
    }
  }
  return std::nullopt;
}

Formula Algebra::negation(Formula f) {
  if (f->kind == FormulaNodeKind::constant) return truth(!f->value);
  if (f->kind == FormulaNodeKind::negation) return f->parts[0];
  if (f->kind == FormulaNodeKind::positive && whole(f->operand)) return at_least_zero(-f->operand - Number(1));
  return keep({FormulaNodeKind::negation, 0, false, Number(0), {f}});
}

Formula Algebra::conjunction(const std::vector<Formula>& parts) {
  std::set<Formula, FormulaOrder> all;
  for (const Formula part : parts) {
    if (part == false_) return false_;
    if (part->kind == FormulaNodeKind::conjunction) {
      all.insert(part->parts.begin(), part->parts.end());
    } else if (part != true_) {
      all.insert(part);
    }
  }
  for (const Formula part : all) {
    // p and not p.
    if (all.count(negation(part)) > 0) return false_;
  }
  if (all.empty()) return true_;
  if (all.size() == 1) return *all.begin();
  return keep({FormulaNodeKind::conjunction, 0, false, Number(0), {all.begin(), all.end()}});
}

Formula Algebra::disjunction(std::vector<Formula> parts) {
  for (Formula& part : parts) part = negation(part);
  return negation(conjunction(parts));
}

// --- substitution ----------------------------------------------------------------------------------------------------

Number Rewriting::of(const Number& x) {
  Number result;
  for (const auto& [monomial, factor] : x.terms()) {
    Number product{Rational(factor)};
    for (const auto& [atom, power] : monomial.powers) {
      const Number& value = at(atom);
      for (unsigned i = 0; i < power; ++i) product = product * value;
    }
    if (!monomial.exponent.empty()) {
      Number exponent;
      for (const auto& [atom, times] : monomial.exponent) exponent = exponent + at(atom) * Number(Rational(times));
      if (!is_exponent(exponent)) throw Unsupported{"a power whose exponent is not linear", {}};
      product = product * power_of_two(exponent);
    }
    result = result + product;
  }
  return result;
}

Formula Rewriting::of(Formula f) {
  if (const auto known = formulas_.find(f); known != formulas_.end()) return known->second;
  return formulas_.emplace(f, made(f)).first->second;
}

const Number& Rewriting::at(Atom atom) {
  if (const auto found = by_.find(atom); found != by_.end()) return found->second;
  if (const auto known = atoms_.find(atom); known != atoms_.end()) return known->second;
  return atoms_.emplace(atom, made(atom)).first->second;
}

Number Rewriting::divided(AtomKind kind, const Number& a, const Number& b) {
  return kind == AtomKind::quotient ? into_.divide(a, b) : into_.remainder(a, b);
}

Number Rewriting::made(Atom atom) {
  std::vector<Number> operands;
  for (const Number& operand : atom->operands) operands.push_back(of(operand));
  switch (atom->kind) {
    case AtomKind::variable:
      return unchanged(atom);
    case AtomKind::quotient:
    case AtomKind::remainder:
      return divided(atom->kind, operands[0], operands[1]);
    case AtomKind::power:
      return into_.power(operands[0], operands[1]);
    case AtomKind::bits:
      return into_.bits(operands[0]);
    case AtomKind::choice:
      return into_.choice(of(atom->condition), operands[0], operands[1]);
    default:
      break;
  }
  Number result = operands[0];
  for (std::size_t i = 1; i < operands.size(); ++i) result = into_.bitwise(atom->kind, result, operands[i]);
  return result;
}

Formula Rewriting::made(Formula f) {
  std::vector<Formula> parts;
  for (const Formula part : f->parts) parts.push_back(of(part));
  switch (f->kind) {
    case FormulaNodeKind::constant:
      return into_.truth(f->value);
    case FormulaNodeKind::positive:
      return into_.at_least_zero(of(f->operand));
    case FormulaNodeKind::zero:
      return into_.equal(of(f->operand), Number(0));
    case FormulaNodeKind::negation:
      return into_.negation(parts[0]);
    case FormulaNodeKind::conjunction:
      break;
  }
  return into_.conjunction(parts);
}

Number Algebra::substituted(const Number& x, const Substitution& by) {
  return by.empty() ? x : Rewriting(*this, by).of(x);
}

Formula Algebra::substituted(Formula f, const Substitution& by) { return by.empty() ? f : Rewriting(*this, by).of(f); }

}  // namespace quadrille::prover
