// Lower bounds for every size: limits on the cost of any schedule of a collective on a machine, whatever it sends.
#pragma once

#include <string>
#include <vector>

#include "model/limits/watch.h"
#include "model/send_table.h"
#include "verifier/prover/problem/obligation.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {

// A measure, and its claimed lower bound wherever the parameters are in their ranges and `when` holds.
struct LeastClaim {
  OptimalMeasure measure = OptimalMeasure::steps;
  Number claimed;
  Formula when = nullptr;
};

// One argument that a smaller value than the claimed one is impossible. It is right if all its obligations hold. They
// are about the machine and the collective alone, not the schedule. The last one says that the bound meets the
// claimed value.
struct LowerBound {
  std::string words;  // "processor 0 must receive N - 1 packets, one at a time"
  std::vector<Obligation> obligations;
};

// All arguments that can be tried (verifier/OPTIMALITY.md), simple ones first; most of them do not hold.
std::vector<LowerBound> lower_bounds(Algebra& algebra, const Problem& problem, const LeastClaim& claim);

// Writes the claim that a schedule is the best possible, for every size (`claim optimal steps`): the obligations of one
// lower bound that meets the claimed value at small sizes. None of them is exact, as a better
// bound may exist. Throws Unsupported if no bound meets it, and Ended.
std::vector<Obligation> write_optimal(Algebra& algebra, const Problem& problem, const LeastClaim& claim, Watch& watch);

// --- apexes: the levels of a tree at which packets turn round (apex.cpp) ------------------------------------------

// Gives each family of sends on a tree a formula for the level at which its packets turn, if a simple one fits all
// small sizes. It equals the length of `source xor target`, but is easier for a solver. The returned obligations say
// that they are equal for all sizes.
std::vector<Obligation> find_apexes(Algebra& algebra, Problem& problem);

}  // namespace quadrille::prover
