#include "verifier/prover/algebra.h"

#include <algorithm>
#include <deque>
#include <tuple>

namespace quadrille::prover {
namespace {

// The power of two in a fraction: 3 for 8, -1 for 3/2.
long powers_of_two(const Rational& factor) {
  const Integer above = abs(Integer(numerator(factor)));
  const Integer below = denominator(factor);
  return static_cast<long>(lsb(above)) - static_cast<long>(lsb(below));
}

bool odd_denominator_is_one(const Rational& factor) {
  const Integer below = denominator(factor);
  return (below >> static_cast<unsigned>(lsb(below))) == 1;
}

bool bitwise_kind(AtomKind kind) {
  return kind == AtomKind::bit_or || kind == AtomKind::bit_xor || kind == AtomKind::bit_and;
}

// The power of two in the first monomial.
Number power_in(const Number& x) {
  if (x.terms().empty()) return Number(1);
  const auto& [monomial, factor] = *x.terms().begin();
  Monomial power;
  power.exponent = monomial.exponent;
  const long two = powers_of_two(factor);
  Number result;
  result.add(power, two >= 0 ? Rational(Integer(1) << static_cast<unsigned>(two))
                             : Rational(1, Integer(1) << static_cast<unsigned>(-two)));
  return result;
}

// The power of two that every monomial has: of each atom's exponents, what they have in common.
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

struct Algebra::Tables {
  using AtomKey = std::tuple<AtomKind, std::vector<Number>, std::uint32_t>;
  using FormulaKey = std::tuple<FormulaKind, Number, std::vector<std::uint32_t>>;
  std::deque<AtomNode> atoms;
  std::deque<FormulaNode> formulas;
  std::map<AtomKey, Atom> atoms_by_content;
  std::map<FormulaKey, Formula> formulas_by_content;
};

Algebra::Algebra() : tables_(std::make_unique<Tables>()) {
  true_ = keep({FormulaKind::constant, 0, true, Number(1), {}});
  false_ = keep({FormulaKind::constant, 0, false, Number(0), {}});
}

Algebra::~Algebra() = default;

Atom Algebra::keep(AtomNode node) {
  node.age = static_cast<std::uint32_t>(tables_->atoms.size());
  if (node.kind == AtomKind::variable) {
    tables_->atoms.push_back(std::move(node));
    return &tables_->atoms.back();
  }
  Tables::AtomKey key{node.kind, node.operands, node.condition ? node.condition->age : 0};
  const auto [place, fresh] = tables_->atoms_by_content.emplace(std::move(key), nullptr);
  if (fresh) {
    tables_->atoms.push_back(std::move(node));
    place->second = &tables_->atoms.back();
  }
  return place->second;
}

Formula Algebra::keep(FormulaNode node) {
  node.age = static_cast<std::uint32_t>(tables_->formulas.size());
  std::vector<std::uint32_t> parts;
  for (const Formula part : node.parts) parts.push_back(part->age);
  const auto [place, fresh] =
      tables_->formulas_by_content.emplace(Tables::FormulaKey{node.kind, node.operand, std::move(parts)}, nullptr);
  if (fresh) {
    tables_->formulas.push_back(std::move(node));
    place->second = &tables_->formulas.back();
  }
  return place->second;
}

Atom Algebra::variable(std::string name, std::optional<Number> first, std::optional<Number> last) {
  AtomNode node;
  node.name = std::move(name);
  node.first = std::move(first);
  node.last = std::move(last);
  return keep(std::move(node));
}

// --- numbers ---------------------------------------------------------------------------------------------------------

// Whether the monomial is an integer whatever its variables are: what its coefficient divides by is a power of two, and
// no larger than the one it is multiplied by.
bool Algebra::whole(const Monomial& monomial, const Rational& factor) const {
  if (!odd_denominator_is_one(factor)) return false;
  if (powers_of_two(factor) >= 0 && monomial.exponent.empty()) return true;
  return never_negative(exponent_of(monomial) + Number(Rational(powers_of_two(factor))));
}

Algebra::Split Algebra::split(const Number& a, const Number& b) const {
  Split result;
  if (b.terms().size() != 1) {
    // By a sum: whole multiples of it only.
    const auto& [leading, by] = *b.terms().rbegin();
    for (const auto& [monomial, factor] : a.terms()) {
      if (!(monomial == leading)) continue;
      const Rational times = factor / by;
      if (denominator(times) == 1 && a == b * Number(times)) return {Number(times), Number(0)};
    }
    return {Number(0), a};
  }
  const auto& [divisor, by] = *b.terms().begin();
  for (const auto& [monomial, factor] : a.terms()) {
    Monomial quotient = monomial;
    bool divisible = true;
    for (const auto& [atom, power] : divisor.powers) {
      const auto held = quotient.powers.find(atom);
      divisible = divisible && held != quotient.powers.end() && held->second >= power;
      if (!divisible) break;
      held->second -= power;
      if (held->second == 0) quotient.powers.erase(held);
    }
    for (const auto& [atom, times] : divisor.exponent) {
      Integer& sum = quotient.exponent[atom];
      sum -= times;
      if (sum == 0) quotient.exponent.erase(atom);
    }
    if (divisible && whole(quotient, factor / by)) {
      result.quotient.add(quotient, factor / by);
    } else {
      result.rest.add(monomial, factor);
    }
  }
  return result;
}

Number Algebra::divide(const Number& a, const Number& b) {
  const Split parts = split(a, b);
  if (const auto atom = parts.rest.atom(); atom && bitwise_kind((*atom)->kind) && is_power_of_two(b)) {
    // Shifting works bit by bit.
    Number result = divide((*atom)->operands[0], b);
    for (std::size_t i = 1; i < (*atom)->operands.size(); ++i) {
      result = bitwise((*atom)->kind, result, divide((*atom)->operands[i], b));
    }
    return parts.quotient + result;
  }
  if (never_negative(parts.rest) && never_negative(b - Number(1) - parts.rest)) return parts.quotient;
  AtomNode node;
  node.kind = AtomKind::quotient;
  node.operands = {parts.rest, b};
  if (const auto x = parts.rest.constant(), y = b.constant(); x && y && *y != 0) {
    return parts.quotient + Number(Rational(evaluate(Number(keep(std::move(node))), {})));
  }
  return parts.quotient + Number(keep(std::move(node)));
}

Number Algebra::remainder(const Number& a, const Number& b) {
  Number rest = split(a, b).rest;
  if (never_negative(rest) && never_negative(b - Number(1) - rest)) return rest;
  AtomNode node;
  node.kind = AtomKind::remainder;
  node.operands = {rest, b};
  if (const auto x = rest.constant(), y = b.constant(); x && y && *y != 0) {
    return Number(Rational(evaluate(Number(keep(std::move(node))), {})));
  }
  if (!is_power_of_two(b)) {  // once around, or less
    if (never_negative(rest) && never_negative(b + b - Number(1) - rest)) return choice(less(rest, b), rest, rest - b);
    if (never_negative(rest + b) && never_negative(b - Number(1) - rest)) {
      return choice(at_least_zero(rest), rest, rest + b);
    }
  }
  return Number(keep(std::move(node)));
}

// Whether x is 2^e, e never negative.
bool Algebra::is_power_of_two(const Number& x) const {
  if (x.terms().size() != 1 || !x.terms().begin()->first.powers.empty()) return false;
  const auto& [monomial, factor] = *x.terms().begin();
  const Integer above = numerator(factor);
  return factor > 0 && (above & (above - 1)) == 0 && whole(monomial, factor);
}

// x as numbers without a binary digit in common: a sum q · 2^e + r with 0 <= r < 2^e is q · 2^e and r.
std::vector<Number> Algebra::apart(const Number& x) const {
  if (x.terms().size() < 2) return {x};
  for (const auto& [monomial, factor] : x.terms()) {
    Number term;
    term.add(monomial, factor);
    const Number power = power_in(term);
    if (power == Number(1) || !is_power_of_two(power)) continue;
    const Split parts = split(x, power);
    if (parts.rest == Number(0) || parts.rest == x) continue;
    if (!never_negative(parts.rest) || !never_negative(power - Number(1) - parts.rest)) continue;
    std::vector<Number> result = apart(parts.rest);
    result.push_back(x - parts.rest);
    return result;
  }
  return {x};
}

// What the operands come to bit by bit, in normal form: sorted, without those that cancel.
Number Algebra::bitwise(AtomKind kind, const Number& a, const Number& b) {
  std::vector<Number> operands;
  const auto gather = [&](const Number& x) {
    const auto atom = x.atom();
    if (atom && (*atom)->kind == kind) {
      operands.insert(operands.end(), (*atom)->operands.begin(), (*atom)->operands.end());
    } else if (kind == AtomKind::bit_xor) {
      for (const Number& part : apart(x)) operands.push_back(part);
    } else {
      operands.push_back(x);
    }
  };
  gather(a);
  gather(b);
  std::sort(operands.begin(), operands.end());
  std::vector<Number> kept;
  for (const Number& x : operands) {
    const bool again = !kept.empty() && kept.back() == x;
    if (again && kind == AtomKind::bit_xor) {
      kept.pop_back();
    } else if (!again) {
      kept.push_back(x);
    }
  }
  const auto zero = std::find(kept.begin(), kept.end(), Number(0));
  if (zero != kept.end()) {
    if (kind == AtomKind::bit_and) return Number(0);
    kept.erase(zero);
  }
  if (kept.empty()) return Number(0);
  if (kept.size() == 1) return kept[0];
  if (const auto shifted = shifted_together(kind, kept)) return *shifted;
  AtomNode node;
  node.kind = kind;
  node.operands = kept;
  const bool known = std::all_of(kept.begin(), kept.end(), [](const Number& x) { return x.constant().has_value(); });
  const Number result(keep(std::move(node)));
  return known ? Number(Rational(evaluate(result, {}))) : result;
}

// Two operands with the same power of two are shifted together.
std::optional<Number> Algebra::shifted_together(AtomKind kind, const std::vector<Number>& operands) {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Number power = power_in(operands[i]);
    if (power == Number(1) || !is_power_of_two(power)) continue;
    const Split x = split(operands[i], power);
    if (!(x.rest == Number(0))) continue;
    for (std::size_t j = 0; j < operands.size(); ++j) {
      if (i == j) continue;
      const Split y = split(operands[j], power);
      if (!(y.rest == Number(0))) continue;
      Number result = power * bitwise(kind, x.quotient, y.quotient);
      for (std::size_t other = 0; other < operands.size(); ++other) {
        if (other != i && other != j) result = bitwise(kind, result, operands[other]);
      }
      return result;
    }
  }
  return std::nullopt;
}

Number Algebra::bits(const Number& x) {
  AtomNode node;
  node.kind = AtomKind::bits;
  node.operands = {x};
  Number result(keep(std::move(node)));
  if (x.constant()) return Number(Rational(evaluate(result, {})));
  // 2^e has e + 1 digits.
  if (x.terms().size() == 1 && x.terms().begin()->first.powers.empty()) {
    const auto& [monomial, factor] = *x.terms().begin();
    Number exponent = exponent_of(monomial);
    if (factor > 0) exponent = exponent + Number(Rational(powers_of_two(factor)));
    if (power_of_two(exponent) == x) return exponent + Number(1);
  }
  return result;
}

Number Algebra::choice(Formula condition, const Number& then, const Number& otherwise) {
  if (condition == true_ || then == otherwise) return then;
  if (condition == false_) return otherwise;
  AtomNode node;
  node.kind = AtomKind::choice;
  node.operands = {then, otherwise};
  node.condition = condition;
  return Number(keep(std::move(node)));
}

// x without the powers of two that are in all of it; x itself, where what would be left might be no whole number.
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

// x times a number that is always positive: one that makes its coefficients whole and without a common factor.
Number Algebra::primitive(const Number& x) const {
  if (x.terms().empty()) return x;
  const Number light = lighter(x);
  Integer divisor = 0;
  const Integer below = light.denominator();
  for (const auto& [monomial, factor] : light.terms()) {
    divisor = gcd(divisor, Integer(numerator(Rational(factor * below))));
  }
  return light * Number(Rational(below, abs(divisor)));
}

// --- formulas --------------------------------------------------------------------------------------------------------

Formula Algebra::at_least_zero(const Number& x) {
  if (const auto value = x.constant()) return truth(*value >= 0);
  if (compare_by_bounds_ && never_negative(x)) return true_;
  if (compare_by_bounds_ && never_negative(-x - Number(1))) return false_;
  return keep({FormulaKind::positive, 0, false, primitive(x), {}});
}

Formula Algebra::equal(const Number& a, const Number& b) {
  if (const auto reduced = equal_bits(a, b)) return *reduced;
  if (const auto parts = equal_parts(a, b)) return *parts;
  Number difference = primitive(a - b);
  if (const auto value = difference.constant()) return truth(*value == 0);
  if (compare_by_bounds_ && (never_negative(difference - Number(1)) || never_negative(-difference - Number(1)))) {
    return false_;
  }
  if (difference.terms().begin()->second < 0) difference = -difference;
  return keep({FormulaKind::zero, 0, false, difference, {}});
}

// x xor z == y xor z if x == y.
std::optional<Formula> Algebra::equal_bits(const Number& a, const Number& b) {
  const auto x = a.atom();
  const auto y = b.atom();
  if (!x || !y || (*x)->kind != AtomKind::bit_xor || (*y)->kind != AtomKind::bit_xor) return std::nullopt;
  const Number rest = bitwise(AtomKind::bit_xor, a, b);
  if (rest == Number(0)) return true_;
  const auto atom = rest.atom();
  if (!atom || (*atom)->kind != AtomKind::bit_xor || (*atom)->operands.size() != 2) return std::nullopt;
  return equal((*atom)->operands[0], (*atom)->operands[1]);
}

// q · 2^e + r == p · 2^e + s if q == p and r == s, where 0 <= r, s < 2^e.
std::optional<Formula> Algebra::equal_parts(const Number& a, const Number& b) {
  for (const auto& [monomial, factor] : a.terms()) {
    Number term;
    term.add(monomial, factor);
    const Number power = power_in(term);
    if (power == Number(1) || !is_power_of_two(power)) continue;
    const Split x = split(a, power);
    const Split y = split(b, power);
    if (x.rest == a || (x.rest == Number(0) && y.rest == Number(0))) continue;
    const auto below = [&](const Number& rest) {
      return never_negative(rest) && never_negative(power - Number(1) - rest);
    };
    if (!below(x.rest) || !below(y.rest)) continue;
    return conjunction({equal(x.quotient, y.quotient), equal(x.rest, y.rest)});
  }
  return std::nullopt;
}

Formula Algebra::negation(Formula f) {
  if (f->kind == FormulaKind::constant) return truth(!f->value);
  if (f->kind == FormulaKind::negation) return f->parts[0];
  if (f->kind == FormulaKind::positive) return at_least_zero(-f->operand - Number(1));
  return keep({FormulaKind::negation, 0, false, Number(0), {f}});
}

Formula Algebra::conjunction(const std::vector<Formula>& parts) {
  std::set<Formula, FormulaOrder> all;
  for (const Formula part : parts) {
    if (part == false_) return false_;
    if (part->kind == FormulaKind::conjunction) {
      all.insert(part->parts.begin(), part->parts.end());
    } else if (part != true_) {
      all.insert(part);
    }
  }
  for (const Formula part : all) {
    if (all.count(negation(part)) > 0) return false_;
  }
  if (all.empty()) return true_;
  if (all.size() == 1) return *all.begin();
  return keep({FormulaKind::conjunction, 0, false, Number(0), {all.begin(), all.end()}});
}

Formula Algebra::disjunction(std::vector<Formula> parts) {
  for (Formula& part : parts) part = negation(part);
  return negation(conjunction(parts));
}

// --- substitution ----------------------------------------------------------------------------------------------------

Number Algebra::substituted(const Number& x, const Substitution& by) {
  if (by.empty()) return x;
  Number result;
  for (const auto& [monomial, factor] : x.terms()) {
    Number product{Rational(factor)};
    for (const auto& [atom, power] : monomial.powers) {
      const Number value = atom_substituted(atom, by);
      for (unsigned i = 0; i < power; ++i) product = product * value;
    }
    if (!monomial.exponent.empty()) {
      Number exponent;
      for (const auto& [atom, times] : monomial.exponent) {
        exponent = exponent + atom_substituted(atom, by) * Number(Rational(times));
      }
      product = product * power_of_two(exponent);
    }
    result = result + product;
  }
  return result;
}

Number Algebra::atom_substituted(Atom atom, const Substitution& by) {
  if (const auto found = by.find(atom); found != by.end()) return found->second;
  if (atom->kind == AtomKind::variable) return Number(atom);
  std::vector<Number> operands;
  for (const Number& operand : atom->operands) operands.push_back(substituted(operand, by));
  switch (atom->kind) {
    case AtomKind::quotient:
      return divide(operands[0], operands[1]);
    case AtomKind::remainder:
      return remainder(operands[0], operands[1]);
    case AtomKind::bits:
      return bits(operands[0]);
    case AtomKind::choice:
      return choice(substituted(atom->condition, by), operands[0], operands[1]);
    default:
      break;
  }
  Number result = operands[0];
  for (std::size_t i = 1; i < operands.size(); ++i) result = bitwise(atom->kind, result, operands[i]);
  return result;
}

Formula Algebra::substituted(Formula f, const Substitution& by) {
  std::vector<Formula> parts;
  for (const Formula part : f->parts) parts.push_back(substituted(part, by));
  switch (f->kind) {
    case FormulaKind::constant:
      return f;
    case FormulaKind::positive:
      return at_least_zero(substituted(f->operand, by));
    case FormulaKind::zero:
      return equal(substituted(f->operand, by), Number(0));
    case FormulaKind::negation:
      return negation(parts[0]);
    case FormulaKind::conjunction:
      return conjunction(parts);
    case FormulaKind::disjunction:
      return disjunction(std::move(parts));
  }
  return f;
}

}  // namespace quadrille::prover
