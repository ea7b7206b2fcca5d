// One obligation put to Z3 in one theory.
#pragma once

#include <string>
#include <vector>

#include "verifier/prover/problem/interrupter.h"
#include "verifier/prover/problem/obligation.h"

namespace quadrille::prover {

inline constexpr unsigned most_conflicts = 200'000;  // some twenty seconds

// Thrown where Z3 gives up or is stopped.
struct GivenUp {
  Reason reason;
  std::string why;
};

// Each of the functions may throw NotEncodable (encode.h), GivenUp and z3::exception.

// Whether there are values with which `given` holds and `must` does not, in exact numbers. `small`: of the
// counterexamples, one in which these variables are as small as can be found quickly.
// `conflicts`: the most that the solver of bit-vectors, which hardly counts resource units, may meet.
void ask(const Algebra& algebra, const Obligation& obligation, const std::vector<Atom>& small,
         const SolverEffort& effort, unsigned conflicts, Decision& decision);

// The same by some axioms of powers of two and binary digits alone: `proved`, or nothing is said. Where there are none
// of these, nothing is asked.
void ask_by_axioms(const Algebra& algebra, const Obligation& obligation, const SolverEffort& effort,
                   Decision& decision);

// The same case by case (cases.h). False: there is nothing to split, there are too many cases, or Z3 gave up on one.
// `most`: cases.
bool ask_by_cases(const Algebra& algebra, const Obligation& obligation, const std::vector<Atom>& small,
                  const SolverEffort& effort, std::size_t most, Decision& decision);

// Whether it speaks of powers of two or binary digits: if not, it is asked in integers.
bool speaks_of_bits(const Obligation& obligation);

}  // namespace quadrille::prover
