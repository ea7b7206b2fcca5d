// Powers of two for a solver that knows none: axioms of those that occur in a question.
#pragma once

#include <vector>

#include "verifier/proof_reader/expression.h"

namespace quadrille::proof_reader {

// What powers of two are taken of, and of what digits are counted: each once, as it is written.
struct Terms {
  std::vector<CoreExpression> exponents;
  std::vector<CoreExpression> numbers;
};
void collect_terms(const CoreExpression& x, Terms& terms);

// True for all values of the variables, of power.of.two(e) = 2^e for e >= 0 and digits.of(x) for x >= 0. Throws Refused
// if there are too many.
std::vector<CoreExpression> axioms_of(const Terms& terms);

}  // namespace quadrille::proof_reader
