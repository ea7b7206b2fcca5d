// Proves a schedule with one value for each pattern parameter.
#pragma once

#include <vector>

#include "model/limits/watch.h"
#include "verifier/prove.h"
#include "verifier/prover/problem/obligation.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {

struct PatternProof {
  Proof proof;
  bool for_any_capacity = true;  // whether the proof does not depend on capacities
};

// `arguments`: the options' arguments and the values of pattern parameters. `others`: all choices of these values, or
// none if this choice is not one of constant capacities. If the proof does not depend on capacities, it covers all
// choices (a schedule that is right with one lane is right with more), and the checker is asked about each.
PatternProof prove_pattern(const ir::Schedule& schedule, const ProveOptions& options, Watch& watch,
                           const Arguments& arguments, const std::vector<Arguments>& others);

// Whether the obligation is refuted, and the checker finds a fault at that size, too.
bool confirmed(const Subject& subject, const Obligation& obligation, const Decision& decision);

// The explained obligations. Requires a decision for each obligation.
std::vector<ProvedObligation> explained(const Subject& subject, const std::vector<Obligation>& obligations,
                                        std::vector<Decision> decisions);

}  // namespace quadrille::prover
