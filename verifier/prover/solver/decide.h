// Deciding obligations: one question to Z3 after another, the easy ones first.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "verifier/prover/problem/interrupter.h"
#include "verifier/prover/problem/obligation.h"

namespace quadrille::prover {

// `small`: of the counterexamples, one in which these variables are as small as can be found.
// Requires that nothing is added to `algebra` meanwhile; several threads may decide at once.
Decision decide(const Algebra& algebra, const Obligation& obligation, const std::vector<Atom>& small,
                const SolverEffort& effort);

// Of two reasons for which something is unknown, the one to be told: a fault of the prover before all others, then what
// is not supported, then what was stopped.
Reason more_telling(Reason a, Reason b);

// What an exception leaves open, and why: numbers that are too large to work out are a limit; all else is a fault of
// the prover.
struct Failure {
  Reason reason = Reason::none;
  std::string why;
};
Failure failure_of(const std::exception& problem);

// No context of Z3's in this process takes more bytes from now on: what would is Reason::limit.
void limit_memory(std::uint64_t bytes);

}  // namespace quadrille::prover
