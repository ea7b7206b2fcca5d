// Each atom and formula is kept once (hash consing, by ordered maps so that nothing depends on addresses), and each
// operation brings its result into normal form. So much is decided by comparing pointers.
//
// Example: (2^L + k) / 2^(L-1) with k in 0..3 and L >= 3. 2^L is certainly 2 · 2^(L-1), and the rest k is below
// 2^(L-1), so the quotient is 2.
//
// Cost of an operation: at worst the product of its operands' numbers of terms; a look-up for each atom.
#include "verifier/prover/algebra/algebra.h"

#include <algorithm>
#include <deque>
#include <tuple>

namespace quadrille::prover {
namespace {

bool odd_denominator_is_one(const Rational& factor) {
  const Integer below = denominator(factor);
  return (below >> static_cast<unsigned>(lsb(below))) == 1;
}

// The only node of this content: a new one if there was none.
template <class Node, class Key>
const Node* only_node(std::deque<Node>& nodes, std::map<Key, const Node*>& by_content, Key key, Node node) {
  const auto [place, fresh] = by_content.emplace(std::move(key), nullptr);
  if (fresh) place->second = &nodes.emplace_back(std::move(node));
  return place->second;
}

// Whether b divides x for all values of x's atoms. The remainder of x depends only on the atoms' remainders, and all
// of these are tried. False if x is no polynomial with integer coefficients, or if there are too many remainders to
// try. For example, N^2 - N by 2.
bool always_divides(const Integer& b, const Number& x) {
  constexpr std::size_t most_atoms = 3;
  constexpr int largest = 12;
  if (b < 1 || b > largest || x.denominator() != 1) return false;
  Assignment rests;
  for (const auto& [monomial, factor] : x.terms()) {
    if (!monomial.exponent.empty()) return false;
    for (const auto& [atom, power] : monomial.powers) rests.emplace(atom, 0);
  }
  if (rests.size() > most_atoms) return false;
  while (true) {
    Integer sum = 0;
    for (const auto& [monomial, factor] : x.terms()) {
      Integer product = numerator(factor);
      for (const auto& [atom, power] : monomial.powers) product *= pow(rests.at(atom), power);
      sum += product;
    }
    if (sum % b != 0) return false;
    auto next = rests.begin();  // counts on, each atom being a digit to the base b
    while (next != rests.end() && ++next->second == b) next++->second = 0;
    if (next == rests.end()) return true;
  }
}

}  // namespace

struct Algebra::Tables {
  using AtomKey = std::tuple<AtomKind, std::vector<Number>, std::uint32_t>;
  using FormulaKey = std::tuple<FormulaNodeKind, Number, std::vector<std::uint32_t>>;
  std::deque<AtomNode> atoms;
  std::deque<FormulaNode> formulas;
  std::map<AtomKey, Atom> atoms_by_content;
  std::map<FormulaKey, Formula> formulas_by_content;
};

Algebra::Algebra() : tables_(std::make_unique<Tables>()) {
  true_ = keep({FormulaNodeKind::constant, 0, true, Number(1), {}});
  false_ = keep({FormulaNodeKind::constant, 0, false, Number(0), {}});
}

Algebra::~Algebra() = default;

Atom Algebra::keep(AtomNode node) {
  node.age = static_cast<std::uint32_t>(tables_->atoms.size());
  if (node.kind == AtomKind::variable) return &tables_->atoms.emplace_back(std::move(node));
  Tables::AtomKey key{node.kind, node.operands, node.condition ? node.condition->age : 0};
  return only_node(tables_->atoms, tables_->atoms_by_content, std::move(key), std::move(node));
}

Formula Algebra::keep(FormulaNode node) {
  node.age = static_cast<std::uint32_t>(tables_->formulas.size());
  std::vector<std::uint32_t> parts;
  for (const Formula part : node.parts) parts.push_back(part->age);
  Tables::FormulaKey key{node.kind, node.operand, std::move(parts)};
  return only_node(tables_->formulas, tables_->formulas_by_content, std::move(key), std::move(node));
}

// The number that this operation makes: its value, if the operands are constants and it has one.
Number Algebra::operation(AtomKind kind, std::vector<Number> operands, Formula condition) {
  const bool by_zero = (kind == AtomKind::quotient || kind == AtomKind::remainder) && operands[1] == Number(0);
  const bool known = condition == nullptr && !by_zero &&
                     std::ranges::all_of(operands, [](const Number& x) { return x.constant().has_value(); });
  const Number result(keep(AtomNode{.kind = kind, .operands = std::move(operands), .condition = condition}));
  return known ? Number(Rational(evaluate(result, {}))) : result;
}

Atom Algebra::variable(std::string name, std::optional<Number> first, std::optional<Number> last) {
  return keep(AtomNode{.name = std::move(name), .first = std::move(first), .last = std::move(last)});
}

// --- numbers ---------------------------------------------------------------------------------------------------------

// Whether the monomial is an integer for all values of its variables: the denominator of its coefficient must be a
// power of two, and no larger than the power of two that it is multiplied by.
bool Algebra::whole(const Monomial& monomial, const Rational& factor) const {
  if (!odd_denominator_is_one(factor)) return false;
  if (powers_of_two(factor) >= 0 && monomial.exponent.empty()) return true;
  return never_negative(exponent_of(monomial) + Number(Rational(powers_of_two(factor))));
}

bool Algebra::whole(const Number& x) const {
  return std::ranges::all_of(x.terms(), [this](const auto& term) { return whole(term.first, term.second); });
}

Algebra::Split Algebra::split(const Number& a, const Number& b) const {
  Split result;
  if (b == Number(0)) return {Number(0), a};
  if (b.terms().size() != 1) {
    // Division by a sum: finds integer multiples of it only.
    const auto& [leading, by] = *b.terms().rbegin();
    for (const auto& [monomial, factor] : a.terms()) {
      if (!(monomial == leading)) continue;
      const Rational times = factor / by;
      if (denominator(times) == 1 && a == b * Number(times)) return {Number(times), Number(0)};
    }
    return {Number(0), a};
  }
  // Division by a single term: each term of a that it divides exactly goes to the quotient, and the others to the
  // rest.
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
    // A shift acts bit by bit.
    Number result = divide((*atom)->operands[0], b);
    for (std::size_t i = 1; i < (*atom)->operands.size(); ++i) {
      result = bitwise((*atom)->kind, result, divide((*atom)->operands[i], b));
    }
    return parts.quotient + result;
  }
  if (const auto by = b.constant(); by && denominator(*by) == 1 && always_divides(numerator(*by), parts.rest))
    return parts.quotient + parts.rest * Number(Rational(1, numerator(*by)));
  // A rest from 0 to b - 1 rounds down to 0.
  if (never_negative(parts.rest) && never_negative(b - Number(1) - parts.rest)) return parts.quotient;
  return parts.quotient + operation(AtomKind::quotient, {parts.rest, b});
}

// x mod b for an x within three times b on either side of 0: x minus the right multiple of b.
std::optional<Number> Algebra::times_around(const Number& x, const Number& b) {
  constexpr int most = 3;
  int below = 0;  // x >= -below·b
  while (below <= most && !never_negative(x + b * Number(below))) ++below;
  int above = 0;  // x < above·b
  while (above <= most && !never_negative(b * Number(above) - Number(1) - x)) ++above;
  if (below > most || above > most || b.constant() || !never_negative(b - Number(1))) return std::nullopt;
  Number result = x - b * Number(above - 1);
  for (int q = above - 1; q > -below; --q) {
    result = choice(less(x, b * Number(q)), x - b * Number(q - 1), result);
  }
  return result;
}

Number Algebra::remainder(const Number& a, const Number& b) {
  Number rest = split(a, b).rest;
  if (const auto by = b.constant(); by && denominator(*by) == 1 && always_divides(numerator(*by), rest))
    return Number(0);
  if (never_negative(rest) && never_negative(b - Number(1) - rest)) return rest;
  const bool known = rest.constant() && b.constant() && !(b == Number(0));
  if (!known && !is_power_of_two(b)) {  // once around, or less
    if (never_negative(rest) && never_negative(b + b - Number(1) - rest)) return choice(less(rest, b), rest, rest - b);
    if (never_negative(rest + b) && never_negative(b - Number(1) - rest)) {
      return choice(at_least_zero(rest), rest, rest + b);
    }
    if (const auto around = times_around(rest, b)) return *around;
  }
  return operation(AtomKind::remainder, {rest, b});
}

// A constant, a product, or a power of two, where it is one of these.
Number Algebra::power(const Number& base, const Number& exponent) {
  constexpr int most_factors = 8;
  const auto times = exponent.constant();
  if (times && base.constant()) return operation(AtomKind::power, {base, exponent});
  if (times && *times >= 0 && *times <= most_factors) {
    Number result(1);
    for (int i = 0; i < *times; ++i) result = result * base;
    return result;
  }
  if (base.constant() && is_power_of_two(base)) {
    const Number raised = exponent * Number(Rational(powers_of_two(*base.constant())));
    if (is_exponent(raised) && never_negative(raised)) return power_of_two(raised);
  }
  return operation(AtomKind::power, {base, exponent});
}

// Whether x is 2^e with an e that is never negative.
bool Algebra::is_power_of_two(const Number& x) const {
  if (x.terms().size() != 1 || !x.terms().begin()->first.powers.empty()) return false;
  const auto& [monomial, factor] = *x.terms().begin();
  const Integer above = numerator(factor);
  return factor > 0 && (above & (above - 1)) == 0 && whole(monomial, factor);
}

// Whether the power of two is 1 wherever its variables are in their ranges.
bool Algebra::is_one(const Number& power) const {
  const auto& [monomial, factor] = *power.terms().begin();
  return never_negative(-exponent_of(monomial) - Number(Rational(powers_of_two(factor))));
}

Number Algebra::choice(Formula condition, const Number& then, const Number& otherwise) {
  if (condition == true_ || then == otherwise) return then;
  if (condition == false_) return otherwise;
  return operation(AtomKind::choice, {then, otherwise}, condition);
}

// Brings operations on binary digits into normal form. A number below 2^e and a multiple of 2^e have no digit in
// common, so they become operands of their own. Equal operands cancel (xor) or become one (or, and).
//
// Example: (2^(i-1)·k + j) xor j, j below 2^(i-1), is 2^(i-1)·k.
//
// Cost for k operands: k log k comparisons, and a split for each power of two in them.

// Splits x into numbers without a common binary digit: a sum q · 2^e + r with 0 <= r < 2^e becomes q · 2^e and r.
std::vector<Number> Algebra::apart(const Number& x) const {
  if (x.terms().size() < 2) return {x};
  for (const auto& [monomial, factor] : x.terms()) {
    const Number term(monomial, factor);
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

// The bitwise operation on the operands in normal form: sorted, without operands that cancel.
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
  const auto zero = std::ranges::find(kept, Number(0));
  if (zero != kept.end()) {
    if (kind == AtomKind::bit_and) return Number(0);
    kept.erase(zero);
  }
  if (kept.empty()) return Number(0);
  if (kept.size() == 1) return kept[0];
  if (const auto shifted = shifted_together(kind, kept)) return *shifted;
  return operation(kind, std::move(kept));
}

// Two operands with the same power of two are shifted together.
std::optional<Number> Algebra::shifted_together(AtomKind kind, const std::vector<Number>& operands) {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Number power = power_in(operands[i]);
    if (!is_power_of_two(power) || is_one(power)) continue;  // by 1, this would never end
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
  Number result = operation(AtomKind::bits, {x});
  const auto exponent = x.constant() ? std::nullopt : exponent_of(x);
  return exponent ? *exponent + Number(1) : result;  // 2^e has e + 1 digits
}

}  // namespace quadrille::prover
