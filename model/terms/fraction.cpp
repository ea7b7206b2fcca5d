// Fractions are compared by continued fractions, because products of their terms may have 128 bits. For example, 7/2
// and 10/3 are both 3 and a rest, 1/2 and 1/3; turned over these are 2 and 3, so that 7/2 is more.
#include "model/terms/fraction.h"

#include <fmt/format.h>

#include <numeric>

namespace quadrille {

Fraction::Fraction(std::uint64_t numerator, std::uint64_t denominator)
    : numerator_(numerator / std::gcd(numerator, denominator)),
      denominator_(denominator / std::gcd(numerator, denominator)) {}

std::strong_ordering Fraction::operator<=>(const Fraction& other) const {
  std::uint64_t a = numerator_, b = denominator_, c = other.numerator_, d = other.denominator_;  // a/b and c/d
  while (a / b == c / d) {
    const std::uint64_t left = a % b;
    const std::uint64_t right = c % d;
    if (left == 0 || right == 0) return left <=> right;
    a = d;
    d = left;  // left/b <=> right/d is d/right <=> b/left
    c = b;
    b = right;
  }
  return a / b <=> c / d;
}

std::optional<Fraction> sum(const Fraction& a, const Fraction& b) {
  const std::uint64_t common = std::gcd(a.denominator(), b.denominator());
  std::uint64_t denominator = 0, left = 0, right = 0, numerator = 0;
  if (__builtin_mul_overflow(a.denominator(), b.denominator() / common, &denominator) ||
      __builtin_mul_overflow(a.numerator(), b.denominator() / common, &left) ||
      __builtin_mul_overflow(b.numerator(), a.denominator() / common, &right) ||
      __builtin_add_overflow(left, right, &numerator))
    return std::nullopt;
  return Fraction(numerator, denominator);
}

std::string to_string(const Fraction& fraction) {
  if (fraction.denominator() == 1) return fmt::format("{}", fraction.numerator());
  return fmt::format("{}/{}", fraction.numerator(), fraction.denominator());
}

}  // namespace quadrille
