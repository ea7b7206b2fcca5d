// How the rules of proof are applied, for the second reader: what has to be guessed (verifier/PROOF_FORMAT.md).
#pragma once

#include <string>
#include <vector>

#include "verifier/prover/core_text.h"
#include "verifier/prover/watch.h"

namespace quadrille::prover {

// What all instances are made from.
struct Instances {
  CoreText& text;
  Algebra& algebra;
  const Problem& problem;
  const std::vector<MessageFamilies>& messages;
  Watch& watch;
};

// Sums in closed form for all these ranges, the innermost first: " (sum k) (sum …)". Throws Unsupported.
std::string sums(const Instances& with, const std::vector<Atom>& variables, Span span);

// "(claimed 1 …)". Throws Unsupported, LimitsReached.
std::string claim_instance(const Instances& with, const ClaimFormula& claim, const MeasureVariables& measures,
                           std::size_t number);

}  // namespace quadrille::prover
