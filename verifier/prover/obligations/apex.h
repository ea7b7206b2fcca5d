// Finds the apex of packets: the level of a tree at which they turn round.
#pragma once

#include <vector>

#include "verifier/prover/problem/obligation.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {

// Gives each family of sends on a tree a formula for the level at which its packets turn, if a simple one fits all
// small sizes. It equals the length of `source xor target`, but is easier for a solver. The returned obligations say
// that they are equal for all sizes.
std::vector<Obligation> find_apexes(Algebra& algebra, Problem& problem);

}  // namespace quadrille::prover
