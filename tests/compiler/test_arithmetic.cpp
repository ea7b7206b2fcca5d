#include <doctest/doctest.h>

#include <limits>

#include "compiler/evaluate/arithmetic.h"
#include "compiler/evaluate/evaluate.h"

namespace quadrille {
namespace {

constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();

TEST_CASE("division rounds down and mod has the divisor's sign, so that a = b·(a/b) + a mod b") {
  for (std::int64_t a = -20; a <= 20; ++a) {
    for (std::int64_t b = -7; b <= 7; ++b) {
      if (b == 0) continue;
      const std::int64_t quotient = checked_divide(a, b, {});
      const std::int64_t rest = checked_modulo(a, b, {});
      CHECK(quotient * b + rest == a);
      CHECK((rest == 0 || (rest < 0) == (b < 0)));
      CHECK((rest < 0 ? -rest : rest) < (b < 0 ? -b : b));
      CHECK(checked_ceil_divide(a, b, {}) == quotient + (rest != 0 ? 1 : 0));
    }
  }
}

TEST_CASE("what does not fit into 64 bits is refused") {
  CHECK_THROWS_AS(checked_add(highest, 1, {}), EvaluationError);
  CHECK_THROWS_AS(checked_subtract(lowest, 1, {}), EvaluationError);
  CHECK_THROWS_AS(checked_multiply(highest, 2, {}), EvaluationError);
  CHECK_THROWS_AS(checked_divide(lowest, -1, {}), EvaluationError);
  CHECK_THROWS_AS(checked_power(2, 63, {}), EvaluationError);
  CHECK_THROWS_AS(checked_power(10, 19, {}), EvaluationError);
  CHECK_THROWS_AS(checked_shift_left(1, 63, {}), EvaluationError);
  CHECK_THROWS_AS(checked_shift_left(highest, 1, {}), EvaluationError);
  CHECK(checked_modulo(lowest, -1, {}) == 0);
  CHECK(checked_power(2, 62, {}) == std::int64_t{1} << 62);
}

TEST_CASE("division by zero, negative exponents and shifts are refused") {
  CHECK_THROWS_AS(checked_divide(1, 0, {}), EvaluationError);
  CHECK_THROWS_AS(checked_modulo(1, 0, {}), EvaluationError);
  CHECK_THROWS_AS(checked_ceil_divide(1, 0, {}), EvaluationError);
  CHECK_THROWS_AS(checked_power(2, -1, {}), EvaluationError);
  CHECK_THROWS_AS(checked_shift_left(1, -1, {}), EvaluationError);
  CHECK_THROWS_AS(checked_shift_right(1, -1, {}), EvaluationError);
}

TEST_CASE("powers of -1, 0 and 1 fit whatever the exponent") {
  CHECK(checked_power(1, highest, {}) == 1);
  CHECK(checked_power(0, highest, {}) == 0);
  CHECK(checked_power(0, 0, {}) == 1);
  CHECK(checked_power(-1, highest, {}) == -1);
}

TEST_CASE("the square root is the largest number whose square is not larger") {
  for (std::int64_t x = 0; x <= 1000; ++x) {
    const std::int64_t root = checked_square_root(x, {});
    CHECK(root * root <= x);
    CHECK((root + 1) * (root + 1) > x);
  }
  CHECK(checked_square_root(highest, {}) == 3037000499);
}

TEST_CASE("reversing bits twice gives the number back") {
  for (std::int64_t x = 0; x < 64; ++x) CHECK(checked_reverse_bits(checked_reverse_bits(x, 6, {}), 6, {}) == x);
  CHECK(checked_reverse_bits(1, 4, {}) == 8);
  CHECK_THROWS_AS(checked_reverse_bits(4, 2, {}), EvaluationError);
}

}  // namespace
}  // namespace quadrille
