// Tries small sizes, from which formulas are guessed. Each guess becomes an obligation.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "verifier/prover/algebra/algebra.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {

// Calls visit() for every combination of the variables' values that their ranges allow, the oldest variable first.
// `values` has the values of the other variables. False once visit() has returned false, or if there are too many
// values to try.
bool for_each_value(const std::vector<Atom>& variables, Assignment& values, const std::function<bool()>& visit);

// Small values of the variables with which all these hold: the first few of each range.
std::vector<Assignment> small_values(const std::vector<Atom>& variables, const std::vector<Formula>& hold);

// Small sizes with which `when` holds: values of the parameters that have more than one.
std::vector<Assignment> small_sizes(const Problem& problem, Formula when);

// Values of these variables (older ones first), in their ranges, with which `given` holds; nothing if none are found
// soon.
std::optional<Assignment> some_values(const std::vector<Atom>& variables, Formula given);

// The parameters that have more than one value.
std::vector<Atom> open_parameters(const Problem& problem);

// Short formulas in these variables: 0, 1, 2, 3, and each variable, one more than it and one less.
std::vector<Number> simple_numbers(const std::vector<Atom>& variables);

}  // namespace quadrille::prover
