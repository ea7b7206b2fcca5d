// One obligation put to Z3 in one theory.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "verifier/prover/obligation.h"
#include "verifier/prover/watch.h"

namespace quadrille::prover {

// Thrown where Z3 gives up or is stopped.
struct GivenUp {
  Reason reason;
  std::string why;
};

// Each of the functions may throw NotEncodable (encode.h), GivenUp and z3::exception.

// Whether there are values with which `given` holds and `must` does not, in exact numbers. `small`: of the
// counterexamples, one in which these variables are as small as can be found quickly.
void ask(const Algebra& algebra, const Obligation& obligation, const std::vector<Atom>& small, const Budget& budget,
         Decision& decision);

// The same by some axioms of powers of two and binary digits alone: `proved`, or nothing is said. Where there are none
// of these, nothing is asked.
void ask_by_axioms(const Algebra& algebra, const Obligation& obligation, const Budget& budget, Decision& decision);

// Values with which `given` holds: none at all, if the first is false; unknown, if there is neither.
std::pair<bool, std::optional<Assignment>> ask_for_premises(const Algebra& algebra, const Obligation& obligation,
                                                            const Budget& budget);

}  // namespace quadrille::prover
