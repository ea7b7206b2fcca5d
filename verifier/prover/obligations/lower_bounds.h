// Lower bounds for every size: what no schedule of a collective on a machine can do in less, whatever it sends.
#pragma once

#include <string>
#include <vector>

#include "model/send_table.h"
#include "verifier/prover/problem/obligation.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {

// A measure, and the number that it is claimed to be at least, wherever the parameters are in their ranges and `when`
// holds.
struct LeastClaim {
  OptimalMeasure measure = OptimalMeasure::steps;
  Number claimed;
  Formula when = nullptr;
};

// One argument that less than what is claimed is too little: it is, if all its obligations hold. They speak of the
// machine and the collective alone, not of the schedule; the last one is that the bound meets what is claimed.
struct LowerBound {
  std::string words;  // "processor 0 must receive N - 1 packets, one at a time"
  std::vector<Obligation> obligations;
};

// All that can be tried (verifier/OPTIMALITY.md), simple ones first; most of them do not hold.
std::vector<LowerBound> lower_bounds(Algebra& algebra, const Problem& problem, const LeastClaim& claim);

}  // namespace quadrille::prover
