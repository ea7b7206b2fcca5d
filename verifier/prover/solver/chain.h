// Lower bounds of numbers, step by step, each an obligation.
#pragma once

#include <string>
#include <vector>

#include "verifier/prover/problem/interrupter.h"
#include "verifier/prover/problem/obligation.h"

namespace quadrille::prover {

// Whether x >= least can be shown by going down from x, one variable after another put to the worst end of its range,
// to a number, or to a number of three variables at most that Z3 sees to be large enough. If so, the steps become
// obligations, each like `like` in all but formula and meaning ("WHAT is at least …"). Throws Ended.
bool add_chain(Algebra& algebra, const Number& x, int least, const std::string& what, const Obligation& like,
               std::vector<Obligation>& obligations, Interrupter& interrupter);

}  // namespace quadrille::prover
