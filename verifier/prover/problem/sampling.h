// Trying small sizes, to guess formulas from. What is guessed is an obligation afterwards.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "verifier/prover/algebra/algebra.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {

// Calls visit() for every combination of the variables' values, oldest first, that their ranges allow; `values` has
// those of the others. False once visit() has said false, or if there are too many values to try.
bool for_each_value(const std::vector<Atom>& variables, Assignment& values, const std::function<bool()>& visit);

// Small values of the variables with which `when` holds: the first few of each range.
std::vector<Assignment> small_values(const std::vector<Atom>& variables, Formula when);

// Values of these variables (older ones first), in their ranges, with which `given` holds; nothing if none are found
// soon.
std::optional<Assignment> some_values(const std::vector<Atom>& variables, Formula given);

// The parameters that have no single value.
std::vector<Atom> open_parameters(const Problem& problem);

// Short formulas in these variables: 0, 1, 2, 3, and each variable, one more and one less.
std::vector<Number> simple_numbers(const std::vector<Atom>& variables);

}  // namespace quadrille::prover
