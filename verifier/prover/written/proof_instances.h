// How the rules of proof are applied, for the second reader: what has to be guessed (verifier/PROOF_FORMAT.md).
#pragma once

#include <string>
#include <vector>

#include "verifier/prover/problem/core_text.h"
#include "verifier/prover/problem/interrupter.h"
#include "verifier/prover/problem/spoken.h"

namespace quadrille::prover {

// What all instances are made from.
struct Instances {
  CoreText& text;
  Algebra& algebra;
  const Problem& problem;
  const std::vector<MessageFamilies>& messages;
  Interrupter& interrupter;
};

// Sums in closed form for all these ranges, the innermost first: " (sum k) (sum …)"; and how many values there are.
// Throws Unsupported.
struct ClosedSums {
  std::string text;
  Number whole;
};
ClosedSums sums(const Instances& with, const std::vector<Atom>& variables, Span span);

// By an invariant (proof_induction.cpp): "(kept 1 1 …)" for each of its statements; "(passed_on m1 …)" of a message;
// and
// "(by_invariant …)". Throw Unsupported.
std::vector<std::string> kept_instances(const Instances& with, const SpokenInvariant& invariant);
std::string passed_on_instance(const Instances& with, const SpokenInvariant& invariant, const MessageFamilies& message);
std::string by_invariant_instance(const Instances& with, const SpokenInvariant& invariant);

// "(claimed 1 …)". Throws Unsupported, Ended.
std::string claim_instance(const Instances& with, const ClaimFormula& claim, const MeasureVariables& measures,
                           std::size_t number);

}  // namespace quadrille::prover
