// Fractions, against whole numbers over a common denominator.
#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

#include "model/terms/fraction.h"

namespace {

using quadrille::Fraction;

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

}  // namespace

TEST_CASE("small fractions are added and compared as over a common denominator") {
  constexpr std::uint64_t common = 2520;  // of 1 to 10
  for (std::uint64_t b = 1; b <= 10; ++b) {
    for (std::uint64_t d = 1; d <= 10; ++d) {
      for (std::uint64_t a = 0; a <= 12; ++a) {
        for (std::uint64_t c = 0; c <= 12; ++c) {
          const Fraction one(a, b);
          const Fraction other(c, d);
          CHECK((one <=> other) == (a * d <=> c * b));
          CHECK((one == other) == (a * d == c * b));
          CHECK(sum(one, other) == Fraction(a * (common / b) + c * (common / d), common));
        }
      }
    }
  }
}

TEST_CASE("fractions are in lowest terms, and whole ones are written so") {
  CHECK(to_string(Fraction()) == "0");
  CHECK(to_string(Fraction(0, 7)) == "0");
  CHECK(to_string(Fraction(14, 4)) == "7/2");
  CHECK(to_string(Fraction(12, 4)) == "3");
  CHECK(Fraction(7, 2).value() == 3.5);
}

TEST_CASE("large fractions are compared exactly, and a sum that is too large is nothing") {
  CHECK(Fraction(most, most - 1) < Fraction(most - 1, most - 2));
  CHECK(Fraction(most - 1, most) > Fraction(most - 2, most - 1));
  CHECK(Fraction(most, 2) > Fraction(most - 1, 2));
  CHECK(sum(Fraction(most), Fraction(1)) == std::nullopt);
  CHECK(sum(Fraction(1, most), Fraction(1, most - 1)) == std::nullopt);
  CHECK(sum(Fraction(1, most), Fraction(1, most)) == Fraction(2, most));
}
