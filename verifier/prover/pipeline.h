// One proof: a schedule, with one value for each pattern parameter.
#pragma once

#include <vector>

#include "verifier/prove.h"
#include "verifier/prover/problem/checked_sizes.h"
#include "verifier/prover/problem/interrupter.h"

namespace quadrille::prover {

struct PatternProof {
  Proof proof;
  bool for_any_capacity = true;  // the proof speaks of no capacities
};

// `arguments`: as the options', and those values. `others`: all choices of them, or nothing: this choice is not of
// constant capacities. If the proof speaks of no capacities, it is for all these (what is right with one lane is right
// with more), and the checker is asked about each.
PatternProof prove_pattern(const ir::Schedule& schedule, const ProveOptions& options, Interrupter& interrupter,
                           const Arguments& arguments, const std::vector<Arguments>& others);

}  // namespace quadrille::prover
