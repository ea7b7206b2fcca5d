// The obligation in one case: its numbers and formulas with constants in place of what is split, in an algebra of their
// own, whose laws make of 2^t·k, t being 3, the number 8·k.
//
// Cost: each atom and formula once.
#include "verifier/prover/cases.h"
#include "verifier/prover/unsupported.h"

namespace quadrille::prover {
namespace {

// Bounds that are numbers are tightened: from them the width of bit-vectors follows.
void narrow_ends(Atom variable, const Case& which, std::optional<Number>& first, std::optional<Number>& last) {
  const auto known = which.within.find(variable);
  if (known == which.within.end()) return;
  const auto& [low, high] = known->second;
  if (low && (!first || (first->constant() && *first->constant() < Rational(*low)))) first = Number(Rational(*low));
  if (high && (!last || (last->constant() && *last->constant() > Rational(*high)))) last = Number(Rational(*high));
}

// That the length of x is this.
Formula has_length(Algebra& algebra, const Number& x, const Integer& length) {
  if (length == 0) return algebra.at_most(x, Number(0));
  const auto digits = static_cast<unsigned>(length);
  return algebra.conjunction({algebra.at_most(Number(Rational(Integer(1) << (digits - 1))), x),
                              algebra.less(x, Number(Rational(Integer(1) << digits)))});
}

// Numbers and formulas of one algebra in another one, each once.
class Translation {
 public:
  explicit Translation(Algebra& into) : algebra_(into) {}

  void put(Atom atom, const Number& value) { atoms_.insert_or_assign(atom, value); }
  const Number& at(Atom atom) const { return atoms_.at(atom); }

  Number number(const Number& x) {
    Number result;
    for (const auto& [monomial, factor] : x.terms()) {
      Number product{Rational(factor)};
      for (const auto& [base, power] : monomial.powers) {
        const Number value = atom(base);
        for (unsigned i = 0; i < power; ++i) product = product * value;
      }
      Number exponent;
      for (const auto& [base, times] : monomial.exponent) exponent = exponent + atom(base) * Number(Rational(times));
      if (!is_exponent(exponent)) throw Unsupported{"a power whose exponent is not linear", {}};
      if (!(exponent == Number(0))) product = product * power_of_two(exponent);
      result = result + product;
    }
    return result;
  }

  Formula formula(Formula f) {
    const auto known = formulas_.find(f);
    if (known != formulas_.end()) return known->second;
    return formulas_.emplace(f, made(f)).first->second;
  }

 private:
  const Number& atom(Atom atom) {
    const auto known = atoms_.find(atom);
    if (known != atoms_.end()) return known->second;
    return atoms_.emplace(atom, made(atom)).first->second;
  }

  Number made(Atom atom) {
    std::vector<Number> operands;
    for (const Number& operand : atom->operands) operands.push_back(number(operand));
    switch (atom->kind) {
      case AtomKind::variable:
        throw Unsupported{"a variable without a range", {}};
      case AtomKind::quotient:
        return algebra_.divide(operands[0], operands[1]);
      case AtomKind::remainder:
        return algebra_.remainder(operands[0], operands[1]);
      case AtomKind::bits:
        return algebra_.bits(operands[0]);
      case AtomKind::choice:
        return algebra_.choice(formula(atom->condition), operands[0], operands[1]);
      default:
        break;
    }
    Number result = operands[0];
    for (std::size_t i = 1; i < operands.size(); ++i) result = algebra_.bitwise(atom->kind, result, operands[i]);
    return result;
  }

  Formula made(Formula f) {
    std::vector<Formula> parts;
    for (const Formula part : f->parts) parts.push_back(formula(part));
    switch (f->kind) {
      case FormulaKind::constant:
        return algebra_.truth(f->value);
      case FormulaKind::positive:
        return algebra_.at_least_zero(number(f->operand));
      case FormulaKind::zero:
        return algebra_.equal(number(f->operand), Number(0));
      case FormulaKind::negation:
        return algebra_.negation(parts[0]);
      case FormulaKind::conjunction:
        break;
    }
    return algebra_.conjunction(parts);
  }

  Algebra& algebra_;
  std::map<Atom, Number, AtomOrder> atoms_;
  std::map<Formula, Formula, FormulaOrder> formulas_;
};

}  // namespace

InCase in_case(const Obligation& obligation, const std::vector<Atom>& scope, const Case& which) {
  InCase result;
  result.algebra = std::make_unique<Algebra>();
  Algebra& algebra = *result.algebra;
  algebra.compare_by_bounds(false);  // Z3 is quicker
  Translation here(algebra);
  std::vector<Formula> given;
  for (const auto& [atom, value] : which.fixed) here.put(atom, Number(Rational(value)));
  for (const Atom old : scope) {  // older ones first
    std::optional<Number> first, last;
    if (old->first) first = here.number(*old->first);
    if (old->last) last = here.number(*old->last);
    if (which.fixed.count(old) > 0) {
      if (first) given.push_back(algebra.at_most(*first, here.at(old)));
      if (last) given.push_back(algebra.at_most(here.at(old), *last));
    } else {
      narrow_ends(old, which, first, last);
      here.put(old, Number(algebra.variable(old->name, first, last)));
      result.scope.push_back(*here.at(old).atom());
    }
    result.values.emplace_back(old, here.at(old));
  }
  for (const auto& [atom, value] : which.fixed) {
    if (atom->kind == AtomKind::bits) given.push_back(has_length(algebra, here.number(atom->operands[0]), value));
  }
  given.push_back(here.formula(obligation.given));
  result.given = algebra.conjunction(given);
  if (result.given == algebra.truth(false)) {
    result.must = result.given;
    return result;
  }
  result.must = here.formula(obligation.must);
  return result;
}

}  // namespace quadrille::prover
