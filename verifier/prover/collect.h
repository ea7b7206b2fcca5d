// From a problem to all of its obligations, and the properties that they do not, or not wholly, speak of.
#pragma once

#include <optional>
#include <vector>

#include "verifier/prover/expressions.h"
#include "verifier/prover/writing.h"

namespace quadrille::prover {

struct Collected {
  std::vector<Obligation> obligations;
  std::vector<ProvedObligation> open;      // unknown: of these properties something could not be written down
  std::optional<Unsupported> unsupported;  // the first reason for that, if it is one
};

// `expressions`: what the problem's claims are read with; the conditions that they bring are added to the problem.
// `with_apexes`: with formulas for the levels at which packets turn (apex.h), where some are found; they are put into
// the problem's families.
Collected collect(Algebra& algebra, Problem& problem, Expressions& expressions, Watch& watch, bool with_apexes);

}  // namespace quadrille::prover
