// Proves a schedule with one value for each pattern parameter.
#pragma once

#include <vector>

#include "verifier/prove.h"
#include "verifier/prover/problem/checked_sizes.h"
#include "verifier/prover/problem/interrupter.h"

namespace quadrille::prover {

struct PatternProof {
  Proof proof;
  bool for_any_capacity = true;  // whether the proof does not depend on capacities
};

// `arguments`: the options' arguments and the values of pattern parameters. `others`: all choices of these values, or
// none if this choice is not one of constant capacities. If the proof does not depend on capacities, it covers all
// choices (a schedule that is right with one lane is right with more), and the checker is asked about each.
PatternProof prove_pattern(const ir::Schedule& schedule, const ProveOptions& options, Interrupter& interrupter,
                           const Arguments& arguments, const std::vector<Arguments>& others);

}  // namespace quadrille::prover
