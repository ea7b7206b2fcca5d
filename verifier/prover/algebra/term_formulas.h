// Translates terms (model/terms/term.h) into the prover's algebra. The statements of a topology or a collective about
// itself become numbers and formulas in the schedule's own variables.
#pragma once

#include <utility>
#include <vector>

#include "model/terms/term.h"
#include "verifier/prover/algebra/algebra.h"

namespace quadrille::prover {

// The numbers that the variables of a term stand for.
struct TermBinding {
  std::vector<Number> parameters;
  Number source = {}, target = {}, index = {};
  bool apart = false;  // whether source and target are known to be different
};

class TermFormulas {
 public:
  TermFormulas(Algebra& algebra, TermBinding binding) : algebra_(algebra), binding_(std::move(binding)) {}

  // These throw Unsupported where the algebra has no such numbers: powers whose base is no power of two, digit sums.
  Number number(const Term& term);
  Formula truth(const Term& term);

 private:
  Formula equal(const Term& term);
  Number power(const Number& base, const Number& exponent);
  Number apex(const Term& term);

  Algebra& algebra_;
  TermBinding binding_;
};

}  // namespace quadrille::prover
