// Asks Z3 about one obligation in one theory.
#pragma once

#include <string>
#include <vector>

#include "verifier/prover/problem/interrupter.h"
#include "verifier/prover/problem/obligation.h"

namespace quadrille::prover {

inline constexpr unsigned most_conflicts = 200'000;  // some twenty seconds

// Thrown when Z3 gives up or is stopped.
struct GivenUp {
  Reason reason;
  std::string why;
};

// Each of the functions may throw NotEncodable (encode.h), GivenUp and z3::exception.

// Decides whether values exist with which `given` holds and `must` does not, in exact numbers. `small`: the
// counterexample should have values of these variables that are as small as can be found quickly. `conflicts`: the
// most conflicts of the solver for bit-vectors, which hardly counts resource units.
void ask(const Algebra& algebra, const Obligation& obligation, const std::vector<Atom>& small,
         const SolverEffort& effort, unsigned conflicts, Decision& decision);

// Decides the same by some axioms about powers of two and binary digits alone. The decision is `proved` or stays
// open. Asks nothing where no powers or digits occur.
void ask_by_axioms(const Algebra& algebra, const Obligation& obligation, const SolverEffort& effort,
                   Decision& decision);

// Decides the same case by case (cases.h). False if there is nothing to split, if there are more than `most` cases,
// or if Z3 gave up on one.
bool ask_by_cases(const Algebra& algebra, const Obligation& obligation, const std::vector<Atom>& small,
                  const SolverEffort& effort, std::size_t most, Decision& decision);

// Whether the obligation contains powers of two or binary digits; if not, it is asked in integers.
bool speaks_of_bits(const Obligation& obligation);

}  // namespace quadrille::prover
