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

#include "verifier/prover/algebra/algebra.h"
#include "verifier/prover/algebra/rewriting.h"
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

// Rewrites numbers and formulas in the algebra of a case, with simple dividends.
class Translation final : public Rewriting {
 public:
  using Rewriting::Rewriting;

  // The formula that the choice has this value.
  Formula comes_to(Atom choice, const Integer& value) {
    const Formula condition = of(choice->condition);
    const auto is = [&](const Number& x) { return into().equal(of(x), Number(Rational(value))); };
    return into().disjunction({into().conjunction({condition, is(choice->operands[0])}),
                               into().conjunction({into().negation(condition), is(choice->operands[1])})});
  }

 private:
  Number unchanged(Atom /*variable*/) override { throw Unsupported{"a variable without a range", {}}; }

  Number divided(AtomKind kind, const Number& a, const Number& by) override { return divided(kind, a, by, 0); }

  // Divides by a constant: each number of a choice; each operand of a bitwise operation, if the divisor is a power of
  // two. So the dividends are simple, and equal in many places.
  Number divided(AtomKind kind, const Number& a, const Number& by, int depth) {
    constexpr int deepest = 3;
    Number whole = Rewriting::divided(kind, a, by);
    const auto size = by.constant();
    if (!size || *size <= 1 || depth == deepest) return whole;
    if (const auto choice = only_choice(a)) {
      const Number rest = a - Number(choice->first) * Number(choice->second);
      const auto part = [&](std::size_t i) {
        return divided(kind, rest + choice->first->operands[i] * Number(choice->second), by, depth + 1);
      };
      return into().choice(choice->first->condition, part(0), part(1));
    }
    const auto atom = a.atom();
    const Integer power = numerator(*size);
    if (!atom || !bitwise_kind((*atom)->kind) || (power & (power - 1)) != 0) return whole;
    std::optional<Number> result;
    for (const Number& operand : (*atom)->operands) {
      const Number part = divided(kind, operand, by, depth + 1);
      result = result ? into().bitwise((*atom)->kind, *result, part) : part;
    }
    return *result;
  }

  // The only choice that is a term of x, and its factor.
  static std::optional<std::pair<Atom, Rational>> only_choice(const Number& x) {
    std::optional<std::pair<Atom, Rational>> found;
    for (const auto& [monomial, factor] : x.terms()) {
      const Atom atom = monomial.atom().value_or(nullptr);
      if (atom == nullptr || atom->kind != AtomKind::choice) continue;
      if (found || denominator(factor) != 1) return std::nullopt;
      found.emplace(atom, factor);
    }
    return found;
  }
};

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

  bool in_no_range(Atom variable) const {
    return std::ranges::none_of(here_.scope, [&](Atom other) {
      return (other->first && mentions(*other->first, variable)) || (other->last && mentions(*other->last, variable));
    });
  }

  void put(Atom variable, const Number& value) {
    Substitution values;
    for (const Atom other : here_.scope) values.emplace(other, other == variable ? value : Number(other));
    Translation by(algebra_, values);
    std::vector<Formula> given = {by.of(here_.given)};
    if (variable->first) given.push_back(algebra_.at_most(*variable->first, value));
    if (variable->last) given.push_back(algebra_.at_most(value, *variable->last));
    here_.must = by.of(here_.must);
    for (auto& [old, number] : here_.values) number = by.of(number);
    here_.given = algebra_.conjunction(given);
    std::erase(here_.scope, variable);
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
  Substitution values;
  Translation here(algebra, values);
  std::vector<Formula> given;
  for (const auto& [atom, value] : which.fixed) values.emplace(atom, Number(Rational(value)));
  for (const Atom old : scope) {  // older ones first
    std::optional<Number> first, last;
    if (old->first) first = here.of(*old->first);
    if (old->last) last = here.of(*old->last);
    if (which.fixed.count(old) > 0) {
      if (first) given.push_back(algebra.at_most(*first, values.at(old)));
      if (last) given.push_back(algebra.at_most(values.at(old), *last));
    } else {
      narrow_ends(old, which, first, last);
      values.emplace(old, Number(algebra.variable(old->name, first, last)));
      result.scope.push_back(*values.at(old).atom());
    }
    result.values.emplace_back(old, values.at(old));
  }
  for (const auto& [atom, value] : which.fixed) {
    if (atom->kind == AtomKind::bits) given.push_back(has_length(algebra, here.of(atom->operands[0]), value));
    if (atom->kind == AtomKind::choice) given.push_back(here.comes_to(atom, value));
  }
  given.push_back(here.of(obligation.given));
  result.given = algebra.conjunction(given);
  if (result.given == algebra.truth(false)) {
    result.must = result.given;
    return result;
  }
  result.must = here.of(obligation.must);
  Elimination(result).all();
  return result;
}

}  // namespace quadrille::prover
