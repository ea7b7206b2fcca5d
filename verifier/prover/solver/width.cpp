// Computes how wide bit-vectors must be so that nothing wraps around: wide enough for the largest number that occurs
// anywhere in the encoding, by the bounds of each term, factor, shift and range (bounds.cpp).
//
// Example: 3·2^L - k with L <= 62 and k < 2^L: below 2^64, so 64 bits and two for signs and comparisons.
//
// Cost: one bound for each atom and term.
#include <fmt/format.h>

#include <algorithm>

#include "verifier/prover/solver/encode.h"

namespace quadrille::prover {
namespace {

// Finds the largest absolute value of everything that encoding the numbers makes on the way.
class Sizes {
 public:
  explicit Sizes(const Algebra& algebra) : algebra_(algebra) {}

  void add(Formula f) {
    add(f->operand, 1);
    for (const Formula part : f->parts) add(part);
  }

  void add(const Number& x) { add(x, 1); }

  void add_range(Atom variable) {
    // Ranges may contain other variables, whose ranges are encoded, too.
    if (!seen_.insert(variable).second) return;
    for (const auto* end : {&variable->first, &variable->last}) {
      if (!*end) continue;
      add(**end - Number(variable), 1);
      const Variables inside = variables_in(**end);
      for (const Atom atom : inside) add_range(atom);
    }
  }

  const Integer& largest() const { return largest_; }

 private:
  void add(const Number& x, const Integer& by) {
    const Integer scale = by * x.denominator();
    Rational sum = 0;
    for (const auto& [monomial, factor] : x.terms()) {
      for (const auto& [atom, power] : monomial.powers) add(atom);
      for (const auto& [atom, times] : monomial.exponent) add(atom);
      add_exponent(exponent_of(monomial));
      const Number alone(monomial, factor);
      const auto low = algebra_.lower(alone);
      const auto high = algebra_.upper(alone);
      if (!low || !high) throw Unsupported{fmt::format("no bound is known for {}", to_string(alone)), {}};
      const Rational size = std::max(Rational(abs(*low)), Rational(abs(*high)));
      // Factors are made before the product.
      sum += (size + abs(factor)) * scale;
    }
    note(sum);
  }

  void add_exponent(const Number& exponent) {
    const auto high = algebra_.upper(exponent);
    if (!high) throw Unsupported{fmt::format("no bound is known for 2^({})", to_string(exponent)), {}};
    Rational sum = abs(*high);
    for (const auto& [monomial, factor] : exponent.terms()) {
      const Number alone(monomial, factor);
      const auto low = algebra_.lower(alone);
      const auto top = algebra_.upper(alone);
      if (!low || !top) throw Unsupported{fmt::format("no bound is known for {}", to_string(alone)), {}};
      sum += std::max(Rational(abs(*low)), Rational(abs(*top)));
    }
    note(sum);
  }

  void add(Atom atom) {
    if (atom->kind == AtomKind::variable) return add_range(atom);
    if (!seen_.insert(atom).second) return;
    for (const Number& operand : atom->operands) add(operand, 1);
    if (atom->condition) add(atom->condition);
    if (atom->kind == AtomKind::quotient || atom->kind == AtomKind::remainder) {
      if (const auto exponent = exponent_of(atom->operands[1])) add_exponent(*exponent);
    }
    const auto high = algebra_.upper(Number(atom));
    if (!high) throw Unsupported{fmt::format("no bound is known for {}", to_string(Number(atom))), {}};
    note(abs(*high));
  }

  void note(const Rational& size) {
    const Integer whole = numerator(size) / denominator(size) + 1;
    if (whole > largest_) largest_ = whole;
  }

  const Algebra& algebra_;
  Variables seen_;
  Integer largest_ = 1;
};

}  // namespace

bool needs_bits(const Number& x) {
  for (const auto& [monomial, factor] : x.terms()) {
    if (!monomial.exponent.empty()) return true;
    for (const auto& [atom, power] : monomial.powers) {
      if (atom->kind == AtomKind::power || atom->kind == AtomKind::bits || atom->kind == AtomKind::bit_or ||
          atom->kind == AtomKind::bit_xor || atom->kind == AtomKind::bit_and) {
        return true;
      }
      if (std::any_of(atom->operands.begin(), atom->operands.end(), [](const Number& o) { return needs_bits(o); }))
        return true;
      if (atom->condition && needs_bits(atom->condition)) return true;
    }
  }
  return false;
}

bool needs_bits(Formula f) {
  return needs_bits(f->operand) ||
         std::any_of(f->parts.begin(), f->parts.end(), [](Formula part) { return needs_bits(part); });
}

unsigned width_for(const Algebra& algebra, const std::vector<Formula>& formulas, const std::vector<Atom>& scope) {
  Sizes sizes(algebra);
  for (const Formula f : formulas) sizes.add(f);
  for (const Atom atom : scope) sizes.add_range(atom);
  // The width has room for the largest value, a sign, and one bit for the sums and differences of comparisons.
  const unsigned width = static_cast<unsigned>(msb(sizes.largest())) + 3;
  if (width > 2048) throw Unsupported{fmt::format("values of {} bits", width), {}};
  return width;
}

}  // namespace quadrille::prover
