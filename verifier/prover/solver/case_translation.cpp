// Translates the obligation into one case. Its numbers and formulas have constants in place of the split atoms, in an
// algebra of their own, whose laws turn 2^t·k with t = 3 into 8·k. Then variables that an equation determines are
// replaced, and divisions by constants are simplified.
//
//   given k = if j < e then 2·j + 1 else j + e, a formula about (k/2) mod 8 becomes one about j mod 8, where j < e
//
// The ranges of replaced variables become part of `given`: no value is lost, and none is new.
//
// Cost: each atom and formula once, and once more for each equation.
#include <algorithm>

#include "verifier/prover/algebra/unsupported.h"
#include "verifier/prover/solver/cases.h"

namespace quadrille::prover {
namespace {

// Tightens bounds that are numbers, because the width of bit-vectors depends on them.
void narrow_ends(Atom variable, const Case& which, std::optional<Number>& first, std::optional<Number>& last) {
  const auto known = which.within.find(variable);
  if (known == which.within.end()) return;
  const auto& [low, high] = known->second;
  if (low && (!first || (first->constant() && *first->constant() < Rational(*low)))) first = Number(Rational(*low));
  if (high && (!last || (last->constant() && *last->constant() > Rational(*high)))) last = Number(Rational(*high));
}

// The formula that x has this length.
Formula has_length(Algebra& algebra, const Number& x, const Integer& length) {
  if (length == 0) return algebra.at_most(x, Number(0));
  const auto digits = static_cast<unsigned>(length);
  return algebra.conjunction({algebra.at_most(Number(Rational(Integer(1) << (digits - 1))), x),
                              algebra.less(x, Number(Rational(Integer(1) << digits)))});
}

// Translates numbers and formulas of one algebra into another one, each once.
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

  // The formula that the choice has this value.
  Formula comes_to(Atom choice, const Integer& value) {
    const Formula condition = formula(choice->condition);
    const auto is = [&](const Number& x) { return algebra_.equal(number(x), Number(Rational(value))); };
    return algebra_.disjunction({algebra_.conjunction({condition, is(choice->operands[0])}),
                                 algebra_.conjunction({algebra_.negation(condition), is(choice->operands[1])})});
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
      case AtomKind::remainder:
        return divided(atom->kind, operands[0], operands[1], 0);
      case AtomKind::power:
        return algebra_.power(operands[0], operands[1]);
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

  // Divides by a constant: each number of a choice; each operand of a bitwise operation, if the divisor is a power of
  // two. So the dividends are simple, and equal in many places.
  Number divided(AtomKind kind, const Number& a, const Number& by, int depth) {
    constexpr int deepest = 3;
    auto whole = kind == AtomKind::quotient ? algebra_.divide(a, by) : algebra_.remainder(a, by);
    const auto size = by.constant();
    if (!size || *size <= 1 || depth == deepest) return whole;
    if (const auto choice = only_choice(a)) {
      const Number rest = a - Number(choice->first) * Number(choice->second);
      const auto of = [&](const Number& x) { return divided(kind, rest + x * Number(choice->second), by, depth + 1); };
      return algebra_.choice(choice->first->condition, of(choice->first->operands[0]), of(choice->first->operands[1]));
    }
    const auto atom = a.atom();
    const Integer power = numerator(*size);
    if (!atom || !bitwise_kind((*atom)->kind) || (power & (power - 1)) != 0) return whole;
    std::optional<Number> result;
    for (const Number& operand : (*atom)->operands) {
      const Number part = divided(kind, operand, by, depth + 1);
      result = result ? algebra_.bitwise((*atom)->kind, *result, part) : part;
    }
    return *result;
  }

  // The only choice that is a term of x, and its factor.
  static std::optional<std::pair<Atom, Rational>> only_choice(const Number& x) {
    std::optional<std::pair<Atom, Rational>> found;
    for (const auto& [monomial, factor] : x.terms()) {
      const bool single =
          monomial.exponent.empty() && monomial.powers.size() == 1 && monomial.powers.begin()->second == 1;
      if (!single || monomial.powers.begin()->first->kind != AtomKind::choice) continue;
      if (found || denominator(factor) != 1) return std::nullopt;
      found.emplace(monomial.powers.begin()->first, factor);
    }
    return found;
  }

  Formula made(Formula f) {
    std::vector<Formula> parts;
    for (const Formula part : f->parts) parts.push_back(formula(part));
    switch (f->kind) {
      case FormulaNodeKind::constant:
        return algebra_.truth(f->value);
      case FormulaNodeKind::positive:
        return algebra_.at_least_zero(number(f->operand));
      case FormulaNodeKind::zero:
        return algebra_.equal(number(f->operand), Number(0));
      case FormulaNodeKind::negation:
        return algebra_.negation(parts[0]);
      case FormulaNodeKind::conjunction:
        break;
    }
    return algebra_.conjunction(parts);
  }

  Algebra& algebra_;
  std::map<Atom, Number, AtomOrder> atoms_;
  std::map<Formula, Formula, FormulaOrder> formulas_;
};

}  // namespace

namespace {

// Replaces variables by what equations say that they are, as long as there are such equations.
class Elimination {
 public:
  explicit Elimination(InCase& from) : here_(from), algebra_(*from.algebra) {}

  void all() {
    for (bool found = true; found;) {
      found = false;
      for (const Atom variable : here_.scope) {
        const auto value = said_of(here_.given, variable);
        found = value && in_no_range(variable);
        if (!found) continue;
        put(variable, *value);
        break;
      }
    }
  }

 private:
  // The number that the variable is, by an equation that is given.
  std::optional<Number> said_of(Formula given, Atom variable) const {
    if (given->kind == FormulaNodeKind::conjunction) {
      for (const Formula part : given->parts) {
        if (auto value = said_of(part, variable)) return value;
      }
    }
    if (given->kind != FormulaNodeKind::zero) return std::nullopt;
    Monomial alone;
    alone.powers[variable] = 1;
    const auto term = given->operand.terms().find(alone);
    if (term == given->operand.terms().end() || abs(term->second) != 1) return std::nullopt;
    const Number rest = given->operand - Number(variable) * Number(term->second);
    return mentions(rest, variable) ? std::nullopt : std::optional(rest * Number(Rational(-term->second)));
  }

  static bool mentions(const Number& x, Atom variable) {
    Variables inside;
    collect_variables(x, inside);
    return inside.count(variable) > 0;
  }

  bool in_no_range(Atom variable) const {
    return std::none_of(here_.scope.begin(), here_.scope.end(), [&](Atom other) {
      return (other->first && mentions(*other->first, variable)) || (other->last && mentions(*other->last, variable));
    });
  }

  void put(Atom variable, const Number& value) {
    Translation by(algebra_);
    std::vector<Atom> left;
    for (const Atom other : here_.scope) {
      by.put(other, other == variable ? value : Number(other));
      if (other != variable) left.push_back(other);
    }
    std::vector<Formula> given = {by.formula(here_.given)};
    if (variable->first) given.push_back(algebra_.at_most(*variable->first, value));
    if (variable->last) given.push_back(algebra_.at_most(value, *variable->last));
    here_.must = by.formula(here_.must);
    for (auto& [old, number] : here_.values) number = by.number(number);
    here_.given = algebra_.conjunction(given);
    here_.scope = std::move(left);
  }

  InCase& here_;
  Algebra& algebra_;
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
    if (atom->kind == AtomKind::choice) given.push_back(here.comes_to(atom, value));
  }
  given.push_back(here.formula(obligation.given));
  result.given = algebra.conjunction(given);
  if (result.given == algebra.truth(false)) {
    result.must = result.given;
    return result;
  }
  result.must = here.formula(obligation.must);
  Elimination(result).all();
  return result;
}

}  // namespace quadrille::prover
