// Claims that a schedule is the best there is, for every size (`claim optimal steps`).
#pragma once

#include "verifier/prover/obligations/lower_bounds.h"
#include "verifier/prover/problem/interrupter.h"

namespace quadrille::prover {

// The obligations of one lower bound that meets what is claimed, by all that small sizes tell; none of them is exact,
// as there may be a better bound. Throws Unsupported where no bound does, Ended.
std::vector<Obligation> write_optimal(Algebra& algebra, const Problem& problem, const LeastClaim& claim,
                                      Interrupter& interrupter);

}  // namespace quadrille::prover
