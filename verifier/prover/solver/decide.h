// Decides obligations: asks Z3 one question after another, the easy ones first.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "verifier/prover/problem/interrupter.h"
#include "verifier/prover/problem/obligation.h"

namespace quadrille::prover {

// Decides an obligation. `small`: the counterexample should have values of these variables that are as small as can
// be found. Requires that nothing is added to `algebra` meanwhile; several threads may decide at once.
Decision decide(const Algebra& algebra, const Obligation& obligation, const std::vector<Atom>& small,
                const SolverEffort& effort);

// The reason to report, of two for which something is unknown: a fault of the prover before all others, then what is
// not supported, then what was stopped.
Reason more_telling(Reason a, Reason b);

// The reason that an exception gives for leaving something open. Numbers that are too large to compute are a limit;
// everything else is a fault of the prover.
struct Failure {
  Reason reason = Reason::none;
  std::string why;
};
Failure failure_of(const std::exception& problem);

// Limits the bytes that Z3 takes in this process from now on; more than that becomes Reason::limit.
void limit_memory(std::uint64_t bytes);

}  // namespace quadrille::prover
