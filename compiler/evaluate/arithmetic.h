// Exact arithmetic on 64-bit integers. A result that does not fit, or does not exist, is the user's mistake at `span`.
#pragma once

#include <cstdint>

#include "model/text/source.h"

namespace quadrille {

// Throws the error that `a op b` does not fit into 64 bits.
[[noreturn]] void report_overflow(std::int64_t a, const char* op, std::int64_t b, Span span);

inline std::int64_t checked_add(std::int64_t a, std::int64_t b, Span span) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) report_overflow(a, "+", b, span);
  return result;
}

inline std::int64_t checked_subtract(std::int64_t a, std::int64_t b, Span span) {
  std::int64_t result = 0;
  if (__builtin_sub_overflow(a, b, &result)) report_overflow(a, "-", b, span);
  return result;
}

inline std::int64_t checked_multiply(std::int64_t a, std::int64_t b, Span span) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) report_overflow(a, "*", b, span);
  return result;
}

std::int64_t checked_divide(std::int64_t a, std::int64_t b, Span span);       // rounded down; b not 0
std::int64_t checked_ceil_divide(std::int64_t a, std::int64_t b, Span span);  // rounded up; b not 0
std::int64_t checked_modulo(std::int64_t a, std::int64_t b, Span span);       // a - b·(a/b): the sign of b
std::int64_t checked_power(std::int64_t a, std::int64_t b, Span span);        // b >= 0; 0^0 is 1
std::int64_t checked_shift_left(std::int64_t a, std::int64_t b, Span span);   // a·2^b, 0 <= b <= 62
std::int64_t checked_shift_right(std::int64_t a, std::int64_t b, Span span);  // a / 2^b rounded down, 0 <= b <= 63
std::int64_t checked_square_root(std::int64_t x, Span span);                  // rounded down; x >= 0
// The `width` lowest bits of x in reverse order. 0 <= width <= 62, 0 <= x < 2^width.
std::int64_t checked_reverse_bits(std::int64_t x, std::int64_t width, Span span);

}  // namespace quadrille
