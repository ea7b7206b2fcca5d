// From a problem to all of its obligations, and the properties that they do not, or not wholly, speak of.
#pragma once

#include <optional>
#include <vector>

#include "verifier/prover/obligations/writing.h"
#include "verifier/prover/problem/expressions.h"

namespace quadrille::prover {

struct CollectedObligations {
  std::vector<Obligation> obligations;
  std::vector<ProvedObligation> open;      // unknown: of these properties something could not be written down
  std::optional<Unsupported> unsupported;  // the first reason for that, if it is one
};

// Ways to show something that may fail, where others do not.
struct Approaches {
  bool with_apexes = true;    // with formulas for the levels at which packets turn (apex.h), where some are found; they
                              // are put into the problem's families
  bool by_invariants = true;  // that what is sent and wanted is held, of what is copied, by the invariants if there are
};

// `expressions`: what the problem's claims are read with; the conditions that they bring are added to the problem.
CollectedObligations collect(Algebra& algebra, Problem& problem, Expressions& expressions, Interrupter& interrupter,
                             const Approaches& approaches);

}  // namespace quadrille::prover
