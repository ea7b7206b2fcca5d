// Fractions of 0 or more, exact.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

namespace quadrille {

// A fraction in lowest terms.
class Fraction {
 public:
  // 0.
  constexpr Fraction() = default;
  // Requires a denominator that is not 0.
  explicit Fraction(std::uint64_t numerator, std::uint64_t denominator = 1);

  constexpr std::uint64_t numerator() const { return numerator_; }
  constexpr std::uint64_t denominator() const { return denominator_; }
  double value() const { return static_cast<double>(numerator_) / static_cast<double>(denominator_); }

  bool operator==(const Fraction&) const = default;
  std::strong_ordering operator<=>(const Fraction& other) const;

 private:
  std::uint64_t numerator_ = 0;
  std::uint64_t denominator_ = 1;
};

// The sum; nothing if it needs numbers of more than 64 bits.
std::optional<Fraction> sum(const Fraction& a, const Fraction& b);

// "7/2", "4".
std::string to_string(const Fraction& fraction);

}  // namespace quadrille
