// Sums in closed form.
#pragma once

#include <optional>

#include "verifier/prover/algebra/algebra.h"

namespace quadrille::prover {

// The sum x(first) + x(first + 1) + … + x(last), where x(v) is the number with v for the variable; 0 if last = first
// - 1. Nothing if the sum has no closed form here: x must be a sum of products v^k · q^v · (a number that does not
// depend on v), where q is a power of two. Requires last >= first - 1. The result is checked by the law that defines
// the sum: it grows by x(v + 1) with each step.
std::optional<Number> closed_sum(Algebra& algebra, const Number& x, Atom variable, const Number& first,
                                 const Number& last);

}  // namespace quadrille::prover
