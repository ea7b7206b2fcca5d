// Integers are exact: a result beyond 64 bits is reported at its place in the schedule, and never wraps.
//
// Division rounds down and the remainder has the sign of the divisor, so that a = b·(a / b) + a mod b, and `(k - 1) mod
// n` is a processor for every k: -7 / 2 is -4 and -7 mod 2 is 1; 7 / -2 is -4 and 7 mod -2 is -1. C++ rounds towards 0,
// so each result is corrected where a remainder is left and the signs differ. Cost: constant; a power takes at most 63
// multiplications, a square root 32 halvings.
#include "compiler/evaluate/arithmetic.h"

#include <fmt/format.h>

#include <limits>

#include "compiler/evaluate/evaluate.h"

namespace quadrille {

void report_overflow(std::int64_t a, const char* op, std::int64_t b, Span span) {
  fail(span, fmt::format("{} {} {} does not fit into 64 bits", a, op, b), Code::value);
}

std::int64_t checked_divide(std::int64_t a, std::int64_t b, Span span) {
  if (b == 0) fail(span, "division by zero", Code::value);
  if (a == std::numeric_limits<std::int64_t>::min() && b == -1) report_overflow(a, "/", b, span);
  const std::int64_t quotient = a / b;
  return quotient - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

std::int64_t checked_ceil_divide(std::int64_t a, std::int64_t b, Span span) {
  const std::int64_t down = checked_divide(a, b, span);
  return down + (checked_modulo(a, b, span) != 0 ? 1 : 0);
}

std::int64_t checked_modulo(std::int64_t a, std::int64_t b, Span span) {
  if (b == 0) fail(span, "mod 0; expected a divisor other than zero", Code::value);
  if (b == -1) return 0;
  const std::int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

std::int64_t checked_power(std::int64_t a, std::int64_t b, Span span) {
  if (b < 0) fail(span, fmt::format("{} ^ {}; expected an exponent of at least 0", a, b), Code::value);
  if (a == 2 && b < 63) return std::int64_t{1} << b;
  if (a == 0 || a == 1) return b == 0 ? 1 : a;
  if (a == -1) return b % 2 == 0 ? 1 : -1;
  std::int64_t result = 1;
  for (std::int64_t i = 0; i < b; ++i) {  // at most 63 rounds: |a| >= 2
    if (__builtin_mul_overflow(result, a, &result)) report_overflow(a, "^", b, span);
  }
  return result;
}

std::int64_t checked_shift_left(std::int64_t a, std::int64_t b, Span span) {
  if (b < 0) fail(span, fmt::format("shl by {}; expected at least 0", b), Code::value);
  if (a == 0) return 0;
  if (b > 62) report_overflow(a, "shl", b, span);
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, std::int64_t{1} << b, &result)) report_overflow(a, "shl", b, span);
  return result;
}

std::int64_t checked_shift_right(std::int64_t a, std::int64_t b, Span span) {
  if (b < 0) fail(span, fmt::format("shr by {}; expected at least 0", b), Code::value);
  return a >> (b > 63 ? 63 : b);
}

std::int64_t checked_square_root(std::int64_t x, Span span) {
  if (x < 0) fail(span, fmt::format("sqrt of {}; expected at least 0", x), Code::value);
  std::int64_t low = 0;
  std::int64_t high = 3037000500;  // the first whose square does not fit
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (middle * middle <= x ? low : high) = middle;
  }
  return low;
}

std::int64_t checked_reverse_bits(std::int64_t x, std::int64_t width, Span span) {
  if (width < 0 || width > 62)
    fail(span, fmt::format("reverse_bits over {} bits; expected 0 to 62", width), Code::value);
  if (x < 0 || (x >> width) != 0)
    fail(span, fmt::format("reverse_bits of {} over {} bits; it does not fit", x, width), Code::value);
  std::int64_t result = 0;
  for (std::int64_t i = 0; i < width; ++i, x >>= 1) result = (result << 1) | (x & 1);
  return result;
}

}  // namespace quadrille
