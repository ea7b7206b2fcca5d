// Explains decisions to a person: by what a property is proved, where and how it is refuted, or why it is not known.
#pragma once

#include <vector>

#include "verifier/prover/problem/checked_sizes.h"
#include "verifier/prover/problem/obligation.h"

namespace quadrille::prover {

// Whether the obligation is refuted, and the checker finds a fault at that size, too.
bool confirmed(const Subject& subject, const Obligation& obligation, const Decision& decision);

// The explained obligations. Requires a decision for each obligation.
std::vector<ProvedObligation> explained(const Subject& subject, const std::vector<Obligation>& obligations,
                                        std::vector<Decision> decisions);

}  // namespace quadrille::prover
