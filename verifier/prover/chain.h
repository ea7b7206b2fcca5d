// Lower bounds of numbers, step by step, each an obligation.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "verifier/prover/decide.h"

namespace quadrille::prover {

// Whether x >= least can be shown by going down from x, one variable after another put to the worst end of its range,
// to a number, or to a number of three variables at most that Z3 sees to be large enough. If so, the steps become
// obligations, each like `like` in all but formula and meaning ("WHAT is at least …"). Throws Interrupted.
bool add_chain(Algebra& algebra, const Number& x, int least, const std::string& what, const Obligation& like,
               std::vector<Obligation>& obligations, const std::function<bool()>& cancelled);

}  // namespace quadrille::prover
