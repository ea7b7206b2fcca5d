// Proves lower bounds of numbers step by step; each step is an obligation.
#pragma once

#include <string>
#include <vector>

#include "verifier/prover/problem/interrupter.h"
#include "verifier/prover/problem/obligation.h"

namespace quadrille::prover {

// Whether x >= least can be shown by going down from x: one variable after another is set to the worst end of its
// range, until a number remains, or a number of at most three variables that Z3 finds to be large enough. If so, adds
// the steps as obligations, each like `like` except for its formula and meaning ("WHAT is at least …"). Throws Ended.
bool add_chain(Algebra& algebra, const Number& x, int least, const std::string& what, const Obligation& like,
               std::vector<Obligation>& obligations, Interrupter& interrupter);

}  // namespace quadrille::prover
