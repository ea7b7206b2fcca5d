// Witnesses: that there are values of some variables, shown by values that equations give.
#pragma once

#include <utility>
#include <vector>

#include "verifier/prover/algebra/algebra.h"

namespace quadrille::prover {

// x with each choice in it, of those that stand alone in a term, as one of its two numbers.
std::vector<Number> branches(const Number& x, int depth = 0);

// Variables of which some values are looked for, in their ranges, with which `given` holds and both sides of each
// equation are equal.
struct Sought {
  std::vector<Atom> variables;  // older ones first
  std::vector<Formula> given;
  std::vector<std::pair<Number, Number>> equations;  // the left side has the variables
};

// Implies that there are such values: that one of the choices which solving the equations suggests is right. So a
// suggestion that is wrong can do no more than fail.
Formula some_witness(Algebra& algebra, const Sought& sought);
// The choices themselves.
std::vector<Substitution> suggested_witnesses(Algebra& algebra, const Sought& sought);

}  // namespace quadrille::prover
