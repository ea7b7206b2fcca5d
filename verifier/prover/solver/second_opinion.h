// What the explicit checker says of the smallest sizes, whatever was proved or not.
#pragma once

#include <vector>

#include "verifier/prover/problem/checked_sizes.h"
#include "verifier/prover/problem/interrupter.h"

namespace quadrille::prover {

// The proof, with the checker's verdict on the smallest sizes. Where all is proved, a size that it refuses is a fault
// of the prover, and leaves the schedule unknown; where something is unknown, it refutes the schedule. `patterns`:
// values for the pattern parameters, each of which is put to it.
Proof with_second_opinion(Proof proof, const Algebra& algebra, const Subject& subject,
                          const std::vector<Arguments>& patterns, Interrupter& interrupter);

}  // namespace quadrille::prover
