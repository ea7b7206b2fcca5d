// Guesses when each item arrives, for every size, from what happens at small ones. A guess proves nothing.
#pragma once

#include <optional>

#include "verifier/prover/relation/arrivals.h"
#include "verifier/prover/relation/relation.h"

namespace quadrille::prover {

// `with_digits`: in the language with binary digits. Nothing if no formulas of the language of guesses fit all sizes.
// `empty`: a relation without cases.
std::optional<GuessedRelation> guess_relation(const Writing& writing, const Relation& empty,
                                              const SmallArrivals& arrivals, bool with_digits);

}  // namespace quadrille::prover
