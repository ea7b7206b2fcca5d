// Lower bounds for every size: limits on the cost of any schedule of a collective on a machine, whatever it sends.
#pragma once

#include <string>
#include <vector>

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

}  // namespace quadrille::prover
