// A question about powers of two and numbers of digits, case by case: in each, these are numbers.
#pragma once

#include <optional>
#include <vector>

#include "verifier/proof_reader/leaf.h"

namespace quadrille::proof_reader {

// Some assertions hold together just if those of some case do. Nothing if the cases are not few. `scope`: the variables
// whose ranges are among the assertions.
struct QuestionCase {
  CoreRanges scope;
  std::vector<CoreExpression> asserted;
};
std::optional<std::vector<QuestionCase>> cases_of(QuestionCase whole);

// Without quotients and remainders of variable divisors: it is weaker, and has more variables, if there are any.
QuestionCase without_quotients(const QuestionCase& whole);

// Without products of variables, or quotients by them: it is weaker, and linear. Nothing if there are none, or too many
// (products.cpp).
std::optional<QuestionCase> without_products(const QuestionCase& whole);

// With operations of numbers carried out.
CoreExpression folded(const CoreExpression& x);

}  // namespace quadrille::proof_reader
