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
      sum += (size_of({monomial, factor}) + abs(factor)) * scale;  // factors are made before the product
    }
    note(sum);
  }

  void add_exponent(const Number& exponent) {
    const auto high = algebra_.upper(exponent);
    if (!high) throw Unsupported{fmt::format("no bound is known for 2^({})", to_string(exponent)), {}};
    Rational sum = abs(*high);
    for (const auto& [monomial, factor] : exponent.terms()) sum += size_of({monomial, factor});
    note(sum);
  }

  // The largest absolute value that x may have.
  Rational size_of(const Number& x) const {
    const auto low = algebra_.lower(x);
    const auto high = algebra_.upper(x);
    if (!low || !high) throw Unsupported{fmt::format("no bound is known for {}", to_string(x)), {}};
    return std::max(Rational(abs(*low)), Rational(abs(*high)));
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
  const auto raised = [](const auto& term) { return !term.first.exponent.empty(); };
  return std::ranges::any_of(x.terms(), raised) || std::ranges::any_of(factors_of(x), [](Atom atom) {
           return atom->kind == AtomKind::power || atom->kind == AtomKind::bits || bitwise_kind(atom->kind) ||
                  std::ranges::any_of(atom->operands, [](const Number& each) { return needs_bits(each); }) ||
                  (atom->condition && needs_bits(atom->condition));
         });
}

bool needs_bits(Formula f) {
  return needs_bits(f->operand) || std::ranges::any_of(f->parts, [](Formula part) { return needs_bits(part); });
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
