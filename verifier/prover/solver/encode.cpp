// Each number becomes one Z3 expression, and each atom one that is shared. Ranges and meanings of atoms are facts
// beside them. Bit-vectors are so wide that nothing wraps around (width.cpp), so they behave like integers.
//
// Example: 3·2^L - k as bit-vectors is (3 << L) - k; by power axioms it is 3·term!0 - k, with facts on term!0 > L.
//
// Cost: linear in the number of different atoms and terms; for the axioms, quadratic in the number of powers.
//
// Source: Z3 (de Moura, Bjørner: Z3: An Efficient SMT Solver, TACAS 2008).
#include "verifier/prover/solver/encode.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace quadrille::prover {

z3::expr Encoder::constant(const Integer& value) {
  if (width_ == 0) return context_.int_val(value.str().c_str());
  const Integer modulus = Integer(1) << width_;
  const Integer wrapped = value < 0 ? Integer(value + modulus) : value;
  return context_.bv_val(wrapped.str().c_str(), width_);
}

// Names with "!" are the encoder's own; no variable has such a name.
z3::expr Encoder::variable(Atom atom) {
  const std::string name = fmt::format("{}.{}", atom->name, atom->age);
  return width_ == 0 ? context_.int_const(name.c_str()) : context_.bv_const(name.c_str(), width_);
}

std::optional<Integer> Encoder::value(Atom atom, const z3::model& model) {
  const z3::expr value = model.eval(number(Number(atom)), true);
  if (!value.is_numeral()) return std::nullopt;
  Integer number(Z3_get_numeral_string(context_, value));
  if (width_ > 0 && bit_test(number, width_ - 1)) number -= Integer(1) << width_;
  return number;
}

void Encoder::lower(z3::solver& solver, Atom own, Atom atom, Assignment& best, const Smaller& smaller) {
  Integer low = own->first && own->first->constant() ? rounded_down(*own->first->constant()) : Integer(0);
  while (low < best.at(atom)) {
    const Integer middle = low + (best.at(atom) - low) / 2;
    z3::expr_vector assumption(context_);
    assumption.push_back(formula_at_most(own, middle));
    if (auto found = smaller(assumption)) {
      best = *std::move(found);
    } else {
      low = middle + 1;
    }
  }
  solver.add(formula_at_most(own, best.at(atom)));
}

std::uint64_t resources_used(const z3::solver& solver) {
  const z3::stats statistics = solver.statistics();
  for (unsigned i = 0; i < statistics.size(); ++i) {
    if (statistics.key(i) == "rlimit count" && statistics.is_uint(i)) return statistics.uint_value(i);
  }
  return 0;
}

z3::expr Encoder::at_least_zero(const z3::expr& x) { return x >= constant(0); }  // signed, for bit-vectors

z3::expr Encoder::formula(Formula f) {
  const auto known = formulas_.find(f);
  if (known != formulas_.end()) return known->second;
  const auto made = [&]() -> z3::expr {
    z3::expr_vector parts(context_);
    for (const Formula part : f->parts) parts.push_back(formula(part));
    switch (f->kind) {
      case FormulaNodeKind::constant:
        return context_.bool_val(f->value);
      case FormulaNodeKind::positive:
        return at_least_zero(number(f->operand));
      case FormulaNodeKind::zero:
        return number(f->operand) == constant(0);
      case FormulaNodeKind::negation:
        return !parts[0];
      case FormulaNodeKind::conjunction:
        return z3::mk_and(parts);
    }
    return context_.bool_val(false);
  };
  return formulas_.emplace(f, made()).first->second;
}

// Fractions are computed with a common denominator; the division leaves no rest.
z3::expr Encoder::number(const Number& x) {
  const Integer below = x.denominator();
  z3::expr above = scaled(x, below);
  if (below == 1) return above;
  if (width_ > 0 && (below & (below - 1)) == 0) return z3::ashr(above, constant(Integer(msb(below))));
  return above / constant(below);  // signed, for bit-vectors
}

z3::expr Encoder::scaled(const Number& x, const Integer& by) {
  std::optional<z3::expr> sum;
  for (const auto& [monomial, factor] : x.terms()) {
    const Rational whole = factor * by;
    const z3::expr part = term(monomial, Integer(numerator(whole)));
    sum = sum ? *sum + part : part;
  }
  return sum ? *sum : constant(0);
}

z3::expr Encoder::term(const Monomial& monomial, const Integer& whole_factor) {
  if (theory_ == Theory::power_axioms)
    return monomial.constant() ? constant(whole_factor) : constant(whole_factor) * unknown(monomial);
  Integer factor = whole_factor;
  Number exponent = exponent_of(monomial);
  if (!monomial.exponent.empty() && !algebra_.never_negative(exponent)) {  // 4 · 2^-x is 2^(2-x)
    const auto two = static_cast<unsigned>(lsb(Integer(abs(factor))));
    factor >>= two;
    exponent = exponent + Number(static_cast<int>(two));
    if (!algebra_.never_negative(exponent)) {
      throw Unsupported{fmt::format("2^({}), whose exponent might be negative", to_string(exponent)), {}};
    }
  }
  std::optional<z3::expr> product;
  if (factor != 1 || monomial.powers.empty()) product = constant(factor);
  for (const auto& [base, power] : monomial.powers) {
    const z3::expr value = atom(base);
    for (unsigned i = 0; i < power; ++i) product = product ? *product * value : value;
  }
  if (monomial.exponent.empty()) return *product;
  if (theory_ != Theory::bit_vectors) throw Unsupported{"powers of two among integers", {}};
  return z3::shl(*product, number(exponent));
}

z3::expr Encoder::atom(Atom atom) {
  const auto known = atoms_.find(atom);
  if (known != atoms_.end()) return known->second;
  z3::expr result = made(atom);
  atoms_.emplace(atom, result);
  if (atom->kind == AtomKind::variable) range(atom, result);
  return result;
}

// Adds the numbers that bound the range first: only with them is it certain that nothing in the formulas for its ends
// wraps around.
void Encoder::range(Atom atom, const z3::expr& value) {
  if (theory_ == Theory::bit_vectors) {
    const auto low = algebra_.lower(Number(atom));
    const auto high = algebra_.upper(Number(atom));
    if (!low || !high) throw Unsupported{fmt::format("no bound is known for {}", atom->name), {}};
    facts_.push_back(value >= constant(rounded_down(*low)));
    facts_.push_back(value <= constant(rounded_down(*high)));
  }
  if (atom->first) facts_.push_back(at_least_zero(number(Number(atom) - *atom->first)));
  if (atom->last) facts_.push_back(at_least_zero(number(*atom->last - Number(atom))));
}

z3::expr Encoder::made(Atom atom) {
  switch (atom->kind) {
    case AtomKind::variable:
      return variable(atom);
    case AtomKind::quotient:
    case AtomKind::remainder:
      return division(atom);
    case AtomKind::bits:
      return digits(atom);
    case AtomKind::power:
      throw Unsupported{"a power whose base is not two", {}};
    case AtomKind::choice:
      return z3::ite(formula(atom->condition), number(atom->operands[0]), number(atom->operands[1]));
    default:
      break;
  }
  return bitwise(atom);
}

z3::expr Encoder::bitwise(Atom atom) {
  if (width_ == 0) return bitwise_among_integers(atom);
  z3::expr result = number(atom->operands[0]);
  for (std::size_t i = 1; i < atom->operands.size(); ++i) {
    const z3::expr next = number(atom->operands[i]);
    result = atom->kind == AtomKind::bit_or    ? (result | next)
             : atom->kind == AtomKind::bit_xor ? (result ^ next)
                                               : (result & next);
  }
  return result;
}

// --- power-of-two axioms ---------------------------------------------------------------------------------------------

// A variable or a choice stays as it is; anything else becomes a name, with numbers that it is between.
z3::expr Encoder::unknown(const Monomial& monomial) {
  const Atom alone = monomial.atom().value_or(nullptr);
  if (alone != nullptr && (alone->kind == AtomKind::variable || alone->kind == AtomKind::choice)) return atom(alone);
  const auto known = unknowns_.find(monomial);
  if (known != unknowns_.end()) return known->second;
  if (!monomial.exponent.empty() && !algebra_.never_negative(exponent_of(monomial)))
    throw Unsupported{"a power of two that may be a fraction", {}};
  z3::expr value = context_.int_const(fmt::format("term!{}", unknowns_.size()).c_str());
  unknowns_.emplace(monomial, value);
  const Number x(monomial, 1);
  if (const auto low = algebra_.lower(x)) facts_.push_back(value >= constant(rounded_down(*low)));
  if (const auto high = algebra_.upper(x)) facts_.push_back(value <= constant(rounded_down(*high)));
  return value;
}

// Axioms about numbers of digits: 2^bits(x) is more than x, and at most 2·x, if x >= 1.
void Encoder::add_digit_axioms() {
  std::set<Atom, AtomOrder> done;
  for (bool fresh = true; fresh;) {
    fresh = false;
    std::set<Atom, AtomOrder> found;
    for (const auto& [monomial, value] : unknowns_) {
      for (const Atom atom : atoms_of({monomial, 1})) {
        if (atom->kind == AtomKind::bits && done.insert(atom).second) found.insert(atom);
      }
    }
    for (const Atom atom : found) fresh = add_digit_axiom(atom) || fresh;
  }
}

// Adds the axiom for one atom; false if x cannot be written.
bool Encoder::add_digit_axiom(Atom atom) {
  Monomial digits, power;
  digits.powers[atom] = 1;
  power.exponent[atom] = 1;
  try {
    const z3::expr x = number(atom->operands[0]);
    const z3::expr h = unknown(digits);
    const z3::expr p = unknown(power);
    const z3::expr one = constant(1);
    facts_.push_back(z3::implies(x >= one, p > x && p <= x + x && h >= one));
    facts_.push_back(z3::implies(x < one, p == one && h == constant(0)));
  } catch (const Unsupported&) {
    return false;
  }
  return true;
}

// Axioms about powers: 2^e > e; and, of two powers, which one is larger, and how many times at least.
void Encoder::add_power_axioms() {
  add_digit_axioms();
  constexpr int most_times = 4;  // 2^4
  std::vector<std::pair<Number, z3::expr>> powers = {{Number(0), constant(1)}};
  // The exponents' own variables may add more.
  std::size_t seen = 0;
  do {
    seen = unknowns_.size();
    powers.resize(1, powers.front());
    for (const auto& [monomial, value] : std::map<Monomial, z3::expr>(unknowns_)) {
      if (monomial.powers.empty()) powers.emplace_back(exponent_of(monomial), value);
    }
    for (const auto& [exponent, value] : powers) facts_.push_back(value > number(exponent));
  } while (unknowns_.size() != seen);
  // For each two powers: 2^high >= 2^t · 2^low if high - low >= t.
  for (const auto& [low, small] : powers) {
    for (const auto& [high, large] : powers) {
      if (low == high) continue;
      const z3::expr more = number(high - low);
      for (int times = 0; times <= most_times; ++times) {
        facts_.push_back(z3::implies(more >= constant(times), large >= constant(Integer(1) << times) * small));
      }
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------------

z3::expr Encoder::division(Atom atom) {
  const bool rest = atom->kind == AtomKind::remainder;
  const Number& a = atom->operands[0];
  const Number& b = atom->operands[1];
  if (width_ == 0) {
    if (!b.constant()) return division_in_few(atom);
    if (*b.constant() <= 0) throw Unsupported{"division by zero or a negative number", {}};
    const Integer by = numerator(*b.constant());
    const z3::expr whole = quotient(a, by);
    return rest ? number(a) - constant(by) * whole : whole;
  }
  if (const auto exponent = exponent_of(b); exponent && algebra_.never_negative(*exponent)) {
    // Shifts and masks round down, in two's complement, for either sign.
    const z3::expr size = number(*exponent);
    return rest ? (number(a) & (z3::shl(constant(1), size) - constant(1))) : z3::ashr(number(a), size);
  }
  const auto divisor = algebra_.lower(b);
  if (!algebra_.never_negative(a) || !divisor || *divisor < 1)
    throw Unsupported{"a division that may round upwards", {}};
  return rest ? z3::urem(number(a), number(b)) : z3::udiv(number(a), number(b));
}

// The number h of digits of x: 2^(h-1) <= x < 2^h. For a negative number, which has none, it is 0, as in evaluate().
z3::expr Encoder::digits(Atom atom) {
  if (width_ == 0) throw Unsupported{"logarithms among integers", {}};
  const z3::expr x = number(atom->operands[0]);
  z3::expr h = context_.bv_const(fmt::format("bits!{}", ++auxiliary_).c_str(), width_);
  const z3::expr one = constant(1);
  facts_.push_back(z3::implies(x <= constant(0), h == constant(0)));
  facts_.push_back(z3::implies(x > constant(0), h >= one && h < constant(width_) && z3::lshr(x, h - one) == one));
  return h;
}

// Encodes divisions and operations on binary digits in integers. The quotients are unknowns of their own, with facts
// that give the numbers between which they are.
//
// Example: x xor 4 is x + 4 - 8·(x/4 - 2·(x/8)), where x/4 and x/8 are q and r with 4q <= x < 4q + 4, 8r <= x < 8r + 8,
// and 2r <= q <= 2r + 1.
//
// Cost: an unknown for each number and divisor, and a fact for each pair of divisors of a number.

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
