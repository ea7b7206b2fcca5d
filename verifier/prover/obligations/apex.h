// At which level of a tree packets turn round: their apex.
#pragma once

#include <vector>

#include "verifier/prover/problem/obligation.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {

// Gives each family of sends on a tree a formula for the level at which its packets turn, where a simple one fits all
// small sizes: the same as the length of `source xor target`, but easier for a solver. That it is the same for all
// sizes is the obligation that is returned.
std::vector<Obligation> find_apexes(Algebra& algebra, Problem& problem);

}  // namespace quadrille::prover
