// Decides all obligations, several at a time.
#pragma once

#include <functional>
#include <vector>

#include "verifier/prover/solver/decide.h"

namespace quadrille::prover {

struct Discharging {
  SolverEffort effort;           // for each obligation
  unsigned threads = 1;          // at least 1
  std::vector<Atom> small = {};  // counterexamples have small values of these,
                                 // where that is quickly found
  // Returns whether this decision is enough, so that no more is asked; may be missing. Several threads call it.
  std::function<bool(const Obligation& obligation, const Decision& decision)> enough = {};
};

struct Decisions {
  std::vector<Decision> all;  // one for each obligation
  bool enough = false;        // whether one of them was enough
};

// Decides the obligations. Those not asked, because of an earlier decision or the limits, are unknown.
Decisions discharge(const Algebra& algebra, const std::vector<Obligation>& obligations, const Discharging& how);

}  // namespace quadrille::prover
