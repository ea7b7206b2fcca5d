// Claims that a schedule is the best possible, for every size (`claim optimal steps`).
#pragma once

#include "verifier/prover/obligations/lower_bounds.h"
#include "verifier/prover/problem/interrupter.h"

namespace quadrille::prover {

// The obligations of one lower bound that meets the claimed value at small sizes. None of them is exact, as a better
// bound may exist. Throws Unsupported if no bound meets it, and Ended.
std::vector<Obligation> write_optimal(Algebra& algebra, const Problem& problem, const LeastClaim& claim,
                                      Interrupter& interrupter);

}  // namespace quadrille::prover
