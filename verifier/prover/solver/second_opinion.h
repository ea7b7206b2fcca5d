// Asks the explicit checker about the smallest sizes, whatever was proved.
#pragma once

#include <vector>

#include "verifier/prover/problem/checked_sizes.h"
#include "verifier/prover/problem/interrupter.h"

namespace quadrille::prover {

// The proof, with the checker's verdict on the smallest sizes. If all is proved, a size that the checker refuses is a
// fault of the prover, and leaves the schedule unknown. If something is unknown, it refutes the schedule. `patterns`:
// values of the pattern parameters; the checker is asked about each.
Proof with_second_opinion(Proof proof, const Algebra& algebra, const Subject& subject,
                          const std::vector<Arguments>& patterns, Interrupter& interrupter);

}  // namespace quadrille::prover
