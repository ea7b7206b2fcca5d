// Witnesses prove that some variables have suitable values, by naming values that equations suggest.
#pragma once

#include <utility>
#include <vector>

#include "verifier/prover/algebra/algebra.h"

namespace quadrille::prover {

// The variants of x in which each choice that stands alone in a term is replaced by one of its two numbers.
std::vector<Number> branches(const Number& x, int depth = 0);

// Adds that the value that `by` gives the variable is in its range.
void append_range(Algebra& algebra, Atom variable, const Substitution& by, std::vector<Formula>& into);

// Variables whose values are looked for: in their ranges, with `given` true, and with both sides of each equation
// equal.
struct Sought {
  std::vector<Atom> variables;  // older ones first
  std::vector<Formula> given;
  std::vector<std::pair<Number, Number>> equations;  // the left side has the variables
  Substitution known = {};                           // values of others, which ranges and all this may speak of
};

// A formula that implies that such values exist: one of the choices that solving the equations suggests is right. So
// a wrong suggestion can only fail to prove.
Formula some_witness(Algebra& algebra, const Sought& sought);
// The suggested choices.
std::vector<Substitution> suggested_witnesses(Algebra& algebra, const Sought& sought);

}  // namespace quadrille::prover
