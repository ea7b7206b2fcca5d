// Powers of two and binary digits for a solver that knows none: axioms of those that occur in a question.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "verifier/proof_reader/expression.h"

namespace quadrille::proof_reader {

// What powers of two are taken of, and of what digits are counted: each once, as it is written.
struct Terms {
  std::vector<CoreExpression> exponents;
  std::vector<CoreExpression> numbers;
  std::vector<CoreExpression> lowest;       // the numbers whose lowest digits are taken
  std::vector<CoreExpression> differences;  // x xor y
  std::set<std::int64_t> powers;            // of two, that are written as numbers, or 1 more than these

  bool empty() const { return exponents.empty() && numbers.empty() && lowest.empty() && differences.empty(); }
};
void collect_terms(const CoreExpression& x, Terms& terms);

// True for all values of the variables, of power.of.two(e) = 2^e for e >= 0, digits.of(x) and lowest.of(x) for x >= 0,
// and xor.of(x, y) for x, y >= 0. Throws Refused if there are too many.
std::vector<CoreExpression> axioms_of(const Terms& terms);

}  // namespace quadrille::proof_reader
