// Computes bounds of numbers from the ranges of their variables. The youngest variable (whose range may contain older
// ones) is set to the end of its range where the number is least, if that is the same end for all values of the
// others; then the next one. If no variable can be set, the terms are bounded one by one.
//
// Example: n - d with d in 1..n-1 and n in 2..100 is least for d = n - 1, so its bound is n - (n - 1) = 1.
//
// Cost: at most 64 such steps, each of them linear in the number's terms.
#include <algorithm>

#include "verifier/prover/algebra/algebra.h"

namespace quadrille::prover {
namespace {

constexpr int most_choices = 2;         // looked into, one in another
constexpr int largest_exponent = 4096;  // beyond this nothing is worked out

std::optional<Rational> power_of_two_at(const Rational& exponent) {
  if (denominator(exponent) != 1 || abs(exponent) > largest_exponent) return std::nullopt;
  return two_raised(numerator(exponent));
}

// base^exponent for a base of at least 1; 0 if the exponent is negative; nothing if it is too large.
std::optional<Rational> power_between(const Rational& base, const Rational& exponent) {
  if (exponent < 0) return Rational(0);
  const Integer whole = rounded_down(base);
  const Integer times = rounded_down(exponent);
  if (times * (msb(whole) + 1) > largest_exponent) return std::nullopt;
  return Rational(Integer(pow(whole, static_cast<unsigned>(times))));
}

// The better of two lower (upper) bounds.
std::optional<Rational> tighter(const std::optional<Rational>& a, const std::optional<Rational>& b, bool above) {
  if (!a || !b) return a ? a : b;
  return above ? std::min(*a, *b) : std::max(*a, *b);
}

// 1 if the monomial never falls when the variable rises, -1 if it never rises; 0 if that is not clear. Requires that
// the other factors are not negative.
int direction(const Monomial& monomial, const Rational& factor, Atom variable) {
  const bool multiplied = monomial.powers.count(variable) > 0;
  const auto raised = monomial.exponent.find(variable);
  const int sign = factor > 0 ? 1 : -1;
  if (raised == monomial.exponent.end()) return multiplied ? sign : 0;
  const int growth = raised->second > 0 ? 1 : -1;
  if (multiplied && growth < 0) return 0;
  return sign * growth;
}

// Whether a factor of one of the number's terms is such an atom.
bool has_factor(const Number& x, AtomKind kind) { return std::ranges::count(factors_of(x), kind, &AtomNode::kind) > 0; }

// Whether there are only variables and choices: no powers, lengths or quotients.
bool without_powers(const Number& x) {
  const auto raised = [](const auto& term) { return !term.first.exponent.empty(); };
  return std::ranges::none_of(x.terms(), raised) && std::ranges::all_of(factors_of(x), [](Atom atom) {
           return atom->kind == AtomKind::variable || atom->kind == AtomKind::choice;
         });
}

}  // namespace

bool Algebra::never_negative(const Number& x) const { return never_negative(x, most_choices); }

// For a number with a choice in it, both cases are tried, with the information of the choice's condition where that
// helps. For example m - 1 - (if k + 1 < m then k + 1 else k + 1 - m) with k below m: with k + 2 <= m, m - 2 - k is
// at least 0.
bool Algebra::never_negative(const Number& x, int depth) const {
  const auto least = lower(x);
  if (least && *least >= 0) return true;
  if (depth == 0) return false;
  for (const auto& term : x.terms()) {
    const Monomial& monomial = term.first;
    const Rational& factor = term.second;
    const Atom atom = monomial.atom().value_or(nullptr);
    if (atom == nullptr || atom->kind != AtomKind::choice) continue;
    if (!without_powers(x) || !without_powers(atom->operands[0]) || !without_powers(atom->operands[1])) return false;
    Number rest = x;
    rest.add(monomial, -factor);
    const auto in_case = [&](const Number& value, const std::optional<Number>& known) {
      const Number y = rest + value * Number(factor);
      return never_negative(y, depth - 1) || (known && never_negative(y - *known * Number(abs(factor)), depth - 1));
    };
    const Formula condition = atom->condition;
    std::optional<Number> holds, fails;  // what is not negative in either case
    if (condition->kind == FormulaNodeKind::positive) {
      holds = condition->operand;
      fails = -condition->operand - Number(1);
    }
    return in_case(atom->operands[0], holds) && in_case(atom->operands[1], fails);
  }
  return false;
}

// Variables may range up to a quotient: they are replaced by the ends of their ranges until one is there.
bool Algebra::never_negative_by_division(const Number& x) const {
  constexpr int most_replaced = 8;
  Number least_so_far = x;
  for (int replaced = 0; replaced < most_replaced; ++replaced) {
    if (never_negative(least_so_far)) return true;
    const Number below = lower_by_division(least_so_far);
    if (!(below == least_so_far)) {
      least_so_far = below;
      continue;
    }
    const auto at_end = bound_replaced(least_so_far, youngest(least_so_far, std::nullopt), false);
    if (!at_end || *at_end == least_so_far) return false;
    least_so_far = *at_end;
  }
  return false;
}

// A number that x is never below: a quotient a div c, for a constant c, is from (a - c + 1) / c to a / c; a remainder
// by b >= 1 from 0 to b - 1.
Number Algebra::lower_by_division(const Number& x) const {
  Number result = x;
  for (const auto& [monomial, factor] : x.terms()) {
    const Atom atom = monomial.atom().value_or(nullptr);
    if (atom == nullptr || (atom->kind != AtomKind::quotient && atom->kind != AtomKind::remainder)) continue;
    const Number& by = atom->operands[1];
    Number end;
    if (atom->kind == AtomKind::quotient) {
      const auto constant = by.constant();
      if (!constant || *constant < 1) continue;
      const Number above = factor > 0 ? atom->operands[0] - by + Number(1) : atom->operands[0];
      end = above * Number(Rational(1) / *constant);
    } else {
      const auto least = lower(by);
      if (!least || *least < 1) continue;
      if (factor < 0) end = by - Number(1);
    }
    result.add(monomial, -factor);
    result = result + end * Number(factor);
  }
  return result;
}

// The last quotient x / b, where x < 2^e and b divides 2^e: the quotient is below 2^e / b.
std::optional<Number> Algebra::last_quotient(Atom atom) const {
  const auto variable = atom->operands[0].atom();
  if (!variable || (*variable)->kind != AtomKind::variable || !(*variable)->last) return std::nullopt;
  if (!never_negative(atom->operands[0]) || !is_power_of_two(atom->operands[1])) return std::nullopt;
  const Split end = split(*(*variable)->last + Number(1), atom->operands[1]);
  if (!(end.rest == Number(0))) return std::nullopt;
  return end.quotient - Number(1);
}

// A variable's range. For bitwise operations: 0 … 2^e - 1, if all operands are below 2^e, where e depends on variables.
std::optional<Algebra::NumberRange> Algebra::range_of(Atom atom) const {
  if (atom->kind == AtomKind::variable) return NumberRange{atom->first, atom->last};
  if (atom->kind == AtomKind::quotient) {
    const auto last = last_quotient(atom);
    return last ? std::optional<NumberRange>(NumberRange{Number(0), *last}) : std::nullopt;
  }
  if (atom->kind != AtomKind::bit_xor && atom->kind != AtomKind::bit_or) return std::nullopt;
  for (const Number& candidate : atom->operands) {
    const auto variable = candidate.atom();
    if (!variable || !(*variable)->last || !is_power_of_two(*(*variable)->last + Number(1))) continue;
    const Number& last = *(*variable)->last;
    const bool all = std::ranges::all_of(atom->operands, [&](const Number& operand) {
      return never_negative(operand) && (operand == candidate || never_negative(last - operand));
    });
    if (all) return NumberRange{Number(0), last};
  }
  return std::nullopt;
}

// The youngest atom in the number, and in its exponents, that has a range and is older than `limit`. Atoms inside
// other atoms do not count.
std::optional<Atom> Algebra::youngest(const Number& x, std::optional<Atom> limit) const {
  std::optional<Atom> found;
  for (const Atom atom : atoms_of(x)) {
    const bool tried = (!limit || atom->age < (*limit)->age) && (!found || (*found)->age < atom->age);
    if (tried && range_of(atom)) found = atom;
  }
  return found;
}

// The number with this variable replaced by the end of its range where the number is least (greatest).
std::optional<Number> Algebra::bound_replaced(const Number& x, std::optional<Atom> variable, bool above) const {
  if (!variable) return std::nullopt;
  const auto range = range_of(*variable);
  // All terms with the variable must agree on the worse end.
  int common = 0;
  for (const auto& [monomial, factor] : x.terms()) {
    if (monomial.powers.count(*variable) == 0 && monomial.exponent.count(*variable) == 0) continue;
    if (!monomial.atom()) {
      for (const auto& [atom, power] : monomial.powers) {
        const auto least = bound_of_atom(atom, false);
        if (!least || *least < 0) return std::nullopt;
      }
    }
    const int way = direction(monomial, factor, *variable);
    if (way == 0 || (common != 0 && way != common)) return std::nullopt;
    common = way;
  }
  const auto& end = (common > 0) == above ? range->last : range->first;
  if (!end) return std::nullopt;
  // Only the variable itself is replaced. Atoms that contain it stay, and are bounded on their own.
  Number result;
  for (const auto& [monomial, factor] : x.terms()) {
    Monomial rest = monomial;
    Number product(1);
    if (const auto held = rest.powers.find(*variable); held != rest.powers.end()) {
      for (unsigned i = 0; i < held->second; ++i) product = product * *end;
      rest.powers.erase(held);
    }
    if (const auto held = rest.exponent.find(*variable); held != rest.exponent.end()) {
      const Number exponent = *end * Number(Rational(held->second));
      if (!is_exponent(exponent)) return std::nullopt;
      product = product * power_of_two(exponent);
      rest.exponent.erase(held);
    }
    result = result + Number(rest, factor) * product;
  }
  return result;
}

std::vector<Number> Algebra::descent(const Number& x) const {
  std::vector<Number> steps = {x};
  while (!steps.back().constant()) {
    std::optional<Number> next;
    auto variable = youngest(steps.back(), {});
    while (variable && !(next = bound_replaced(steps.back(), variable, false))) {
      variable = youngest(steps.back(), variable);
    }
    if (!next || steps.size() > 64) break;
    steps.push_back(*next);
  }
  return steps;
}

std::optional<Rational> Algebra::bound(const Number& x, bool above) const {
  Number current = x;
  std::optional<Rational> other;  // by what is known of powers of numbers of digits
  for (int i = 0; i < 64; ++i) {
    if (auto value = current.constant()) return tighter(value, other, above);
    const auto variable = youngest(current, {});
    if (!other) {
      const auto without = digits_replaced(current, variable, above);
      if (without) other = bound(*without, above);
    }
    const auto next = bound_replaced(current, variable, above);
    if (!next) break;
    current = *next;
  }
  return tighter(bound_by_terms(current, above), other, above);
}

// The number with 2^bits(y) replaced by y + 1 or 2·y, the bounds of 2^bits(y) for y >= 1. The atom is the youngest
// such one, and not older than `variable`, which may be inside it.
std::optional<Number> Algebra::digits_replaced(const Number& x, std::optional<Atom> variable, bool above) const {
  std::optional<Atom> found;
  for (const auto& [monomial, factor] : x.terms()) {
    for (const auto& [atom, times] : monomial.exponent) {
      if (atom->kind == AtomKind::bits && (!found || (*found)->age < atom->age)) found = atom;
    }
  }
  if (!found || (variable && (*variable)->age > (*found)->age)) return std::nullopt;
  const Number& y = (*found)->operands[0];
  if (!never_negative(y - Number(1))) return std::nullopt;
  Number result;
  for (const auto& [monomial, factor] : x.terms()) {
    Monomial rest = monomial;
    Number power(1);
    if (const auto held = rest.exponent.find(*found); held != rest.exponent.end()) {
      if (held->second != 1) return std::nullopt;
      for (const auto& [atom, times] : monomial.powers) {
        const auto least = bound_of_atom(atom, false);
        if (!least || *least < 0) return std::nullopt;
      }
      power = (factor > 0) == above ? y + y : y + Number(1);
      rest.exponent.erase(held);
    }
    result = result + Number(rest, factor) * power;
  }
  return result;
}

// Bounds each monomial on its own.
std::optional<Rational> Algebra::bound_by_terms(const Number& x, bool above) const {
  Rational sum = 0;
  for (const auto& [monomial, factor] : x.terms()) {
    const auto part = magnitude_bound(monomial, (factor > 0) == above);
    if (!part) return std::nullopt;
    sum += factor * *part;
  }
  return sum;
}

std::optional<Rational> Algebra::magnitude_bound(const Monomial& monomial, bool above) const {
  if (const auto atom = monomial.atom()) return bound_of_atom(*atom, above);
  Rational low = 1;
  Rational high = 1;
  for (const auto& [atom, power] : monomial.powers) {
    const auto least = bound_of_atom(atom, false);
    const auto most = bound_of_atom(atom, true);
    if (!least || !most) return std::nullopt;
    for (unsigned i = 0; i < power; ++i) {
      // Interval multiplication: the extremes are among the products of the ends.
      const auto [from, to] =
          std::minmax({Rational(low * *least), Rational(low * *most), Rational(high * *least), Rational(high * *most)});
      low = from;
      high = to;
    }
  }
  if (!monomial.exponent.empty()) {
    const Number exponent = exponent_of(monomial);
    const auto least = lower(exponent);
    const auto most = upper(exponent);
    if (!most) return std::nullopt;
    const auto smallest = least && *least >= -largest_exponent ? power_of_two_at(*least) : Rational(0);
    const auto largest = power_of_two_at(*most);
    if (!smallest || !largest) return std::nullopt;
    const Rational from = low >= 0 ? Rational(low * *smallest) : Rational(low * *largest);
    high = high >= 0 ? Rational(high * *largest) : Rational(high * *smallest);
    low = from;
  }
  return above ? high : low;
}

std::optional<Rational> Algebra::bound_of_atom(Atom atom, bool above) const {
  {
    const std::lock_guard lock(bounds_mutex_);
    if (const auto known = bounds_.find({atom, above}); known != bounds_.end()) return known->second;
  }
  const auto result = bound_of_atom_anew(atom, above);
  const std::lock_guard lock(bounds_mutex_);
  return bounds_.emplace(std::pair(atom, above), result).first->second;
}

std::optional<Rational> Algebra::bound_of_atom_anew(Atom atom, bool above) const {
  const auto of = [&](std::size_t i, bool up) { return bound(atom->operands[i], up); };
  switch (atom->kind) {
    case AtomKind::variable: {
      const auto& end = above ? atom->last : atom->first;
      return end ? bound(*end, above) : std::nullopt;
    }
    case AtomKind::quotient: {
      const auto divisor = of(1, false);
      const auto end = of(0, above);
      // If lengths were divided, powers of the quotients would get through that nothing else can handle.
      if (has_factor(atom->operands[0], AtomKind::bits)) {
        const auto least = of(0, false);
        if (!divisor || *divisor < 1 || !least || *least < 0) return std::nullopt;
        return above ? of(0, true) : Rational(0);
      }
      if (!divisor || *divisor < 1 || !end) return std::nullopt;
      // If the end is on the bound's own side of 0, the least divisor gives the extreme quotient; otherwise the
      // quotient does not cross 0.
      if ((*end >= 0) != above) return above ? Rational(-1) : Rational(0);
      return Rational(rounded_down(*end / *divisor));
    }
    case AtomKind::remainder: {
      const auto divisor = of(1, false);
      if (!divisor || *divisor < 1) return std::nullopt;
      if (!above) return Rational(0);
      const auto most = of(1, true);
      return most ? std::optional<Rational>(*most - 1) : std::nullopt;
    }
    case AtomKind::power: {
      const auto base = of(0, above);
      const auto exponent = of(1, above);
      const auto least = of(0, false);
      if (!base || !exponent || !least || *least < 1) return std::nullopt;
      return power_between(*base, *exponent);
    }
    case AtomKind::bit_and: {  // no more than any operand that is not negative
      std::optional<Rational> most;
      for (std::size_t i = 0; i < atom->operands.size(); ++i) {
        const auto least = of(i, false);
        if (least && *least >= 0) most = tighter(most, of(i, true), true);
      }
      return above || !most ? most : Rational(0);
    }
    case AtomKind::bit_or:
    case AtomKind::bit_xor: {
      Rational most = 0;
      for (std::size_t i = 0; i < atom->operands.size(); ++i) {
        const auto least = of(i, false);
        const auto high = of(i, true);
        if (!least || *least < 0 || !high) return std::nullopt;
        most = std::max(most, *high);
      }
      if (!above) return Rational(0);
      const Integer whole = numerator(most) / denominator(most);
      return whole == 0 ? Rational(0) : Rational((Integer(2) << static_cast<unsigned>(msb(whole))) - 1);
    }
    case AtomKind::bits: {
      const auto end = of(0, above);
      if (!above && (!end || *end < 1)) return Rational(0);
      if (!end || *end < 0) return std::nullopt;
      const Integer whole = rounded_down(*end);
      return whole == 0 ? Rational(0) : Rational(static_cast<long>(msb(whole)) + 1);
    }
    case AtomKind::choice: {
      const Formula condition = atom->condition;
      const auto in_branch = [&](std::size_t i, const Number& known) {
        auto end = of(i, above);
        // Choices in one another would each double the work.
        if (above || (end && *end >= 0) || condition->kind != FormulaNodeKind::positive ||
            has_factor(known, AtomKind::choice) || has_factor(atom->operands[i], AtomKind::choice))
          return end;
        // `known` is not negative there, and may be the operand times what makes its coefficients whole.
        const Rational scale = atom->operands[i].denominator();
        const auto more = bound(atom->operands[i] * Number(scale) - known, false);
        return more ? tighter(end, Rational(*more / scale), false) : end;
      };
      const auto then = in_branch(0, condition->operand);
      const auto otherwise = in_branch(1, -condition->operand - Number(1));
      if (!then || !otherwise) return std::nullopt;
      return above ? std::max(*then, *otherwise) : std::min(*then, *otherwise);
    }
  }
  return std::nullopt;
}

}  // namespace quadrille::prover
