// Evaluates numbers and formulas for given values of all variables, in exact arithmetic.
// This is a second reading of what encode.cpp tells Z3: every counterexample is evaluated.
//
// Example: 2^L + 2*L - 2 at L = 3 is 12.
//
// Cost: an operation for each term and atom, on integers of up to 2^20 binary digits.
#include <algorithm>
#include <stdexcept>
#include <unordered_set>

#include "verifier/prover/algebra/algebra.h"

namespace quadrille::prover {
namespace {

constexpr int largest_exponent = 1 << 20;

// The quotient, rounded down. A division by zero has no value; here it is 0. Another obligation says that there is
// none.
Integer floor_divide(const Integer& a, const Integer& b) {
  if (b == 0) return 0;
  Integer quotient = a / b;
  if (quotient * b != a && (a < 0) != (b < 0)) --quotient;
  return quotient;
}

Integer value_of(Atom atom, const Assignment& values);

// The value in two's complement, with more bits than any operand has.
Integer bitwise_value(Atom atom, const Assignment& values) {
  std::vector<Integer> operands;
  unsigned bits = 2;
  for (const Number& operand : atom->operands) {
    operands.push_back(evaluate(operand, values));
    if (operands.back() != 0) bits = std::max(bits, static_cast<unsigned>(msb(Integer(abs(operands.back())))) + 3);
  }
  const Integer modulus = Integer(1) << bits;
  for (Integer& operand : operands) {
    if (operand < 0) operand += modulus;
  }
  Integer result = operands[0];
  for (std::size_t i = 1; i < operands.size(); ++i) {
    if (atom->kind == AtomKind::bit_or) result |= operands[i];
    if (atom->kind == AtomKind::bit_xor) result ^= operands[i];
    if (atom->kind == AtomKind::bit_and) result &= operands[i];
  }
  return bit_test(result, bits - 1) ? Integer(result - modulus) : result;
}

Integer power_value(const Integer& base, const Integer& exponent) {
  if (exponent < 0) return 0;
  const unsigned digits = base == 0 ? 1 : msb(Integer(abs(base))) + 1;
  if (exponent > largest_exponent || exponent * digits > largest_exponent)
    throw std::overflow_error("a power that is too large to work out");
  return pow(base, static_cast<unsigned>(exponent));
}

Integer value_of(Atom atom, const Assignment& values) {
  switch (atom->kind) {
    case AtomKind::variable:
      return values.at(atom);
    case AtomKind::quotient:
      return floor_divide(evaluate(atom->operands[0], values), evaluate(atom->operands[1], values));
    case AtomKind::remainder: {
      const Integer a = evaluate(atom->operands[0], values);
      const Integer b = evaluate(atom->operands[1], values);
      return a - b * floor_divide(a, b);
    }
    case AtomKind::power:
      return power_value(evaluate(atom->operands[0], values), evaluate(atom->operands[1], values));
    case AtomKind::bits: {
      const Integer x = evaluate(atom->operands[0], values);
      return x <= 0 ? Integer(0) : Integer(msb(x)) + 1;
    }
    case AtomKind::choice:
      return evaluate(atom->operands[evaluate(atom->condition, values) ? 0 : 1], values);
    default:
      return bitwise_value(atom, values);
  }
}

Integer product_of(const Monomial& monomial, Integer factor, const Assignment& values) {
  for (const auto& [atom, power] : monomial.powers) {
    const Integer value = value_of(atom, values);
    for (unsigned i = 0; i < power; ++i) factor *= value;
  }
  return factor;
}

// 2^e of the monomial; e may be negative.
Rational power_of(const Monomial& monomial, const Assignment& values) {
  Integer exponent = 0;
  for (const auto& [atom, times] : monomial.exponent) exponent += times * value_of(atom, values);
  if (abs(exponent) > largest_exponent) throw std::overflow_error("a power of two that is too large to work out");
  return two_raised(exponent);
}

// Most terms are integers, which are added up much faster than fractions are.
struct ExactValue {
  Integer whole;
  Rational rest;

  bool integer() const { return rest.is_zero(); }
  Rational sum() const { return rest + whole; }
  int sign() const { return integer() ? whole.sign() : sum().sign(); }
};

ExactValue exact_value(const Number& x, const Assignment& values) {
  ExactValue sum;
  for (const auto& [monomial, factor] : x.terms()) {
    const Integer product = product_of(monomial, boost::multiprecision::numerator(factor), values);
    const Integer divisor = boost::multiprecision::denominator(factor);
    if (monomial.exponent.empty() && divisor == 1) {
      sum.whole += product;
    } else {
      sum.rest += power_of(monomial, values) * Rational(product, divisor);
    }
  }
  return sum;
}

}  // namespace

Integer evaluate(const Number& x, const Assignment& values) {
  const ExactValue value = exact_value(x, values);
  return value.integer() ? value.whole : rounded_down(value.sum());
}

bool evaluate(Formula f, const Assignment& values) {
  switch (f->kind) {
    case FormulaNodeKind::constant:
      return f->value;
    case FormulaNodeKind::positive:
      return exact_value(f->operand, values).sign() >= 0;
    case FormulaNodeKind::zero:
      return exact_value(f->operand, values).sign() == 0;
    case FormulaNodeKind::negation:
      return !evaluate(f->parts[0], values);
    case FormulaNodeKind::conjunction:
      return std::ranges::all_of(f->parts, [&](Formula part) { return evaluate(part, values); });
  }
  return false;
}

namespace {

// CollectingVariables looks at each atom and formula once, even if several numbers contain it.
class CollectingVariables {
 public:
  explicit CollectingVariables(Variables& found) : found_(found) {}

  void look(const Number& x) {
    for (const auto& [monomial, factor] : x.terms()) {
      for (const auto& [atom, power] : monomial.powers) look(atom);
      for (const auto& [atom, times] : monomial.exponent) look(atom);
    }
  }
  void look(Formula f) {
    if (!formulas_.insert(f).second) return;
    look(f->operand);
    for (const Formula part : f->parts) look(part);
  }

 private:
  void look(Atom atom) {
    if (atom->kind == AtomKind::variable) {
      found_.insert(atom);
    } else if (atoms_.insert(atom).second) {
      for (const Number& operand : atom->operands) look(operand);
      if (atom->condition) look(atom->condition);
    }
  }

  Variables& found_;
  std::unordered_set<Atom> atoms_;
  std::unordered_set<Formula> formulas_;
};

}  // namespace

void collect_variables(const Number& x, Variables& found) { CollectingVariables(found).look(x); }

void collect_variables(Formula f, Variables& found) { CollectingVariables(found).look(f); }

}  // namespace quadrille::prover
