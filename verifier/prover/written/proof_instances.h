// Applies the rules of proof for the second reader: the instances that must be guessed (verifier/PROOF_FORMAT.md).
#pragma once

#include <string>
#include <vector>

#include "model/limits/watch.h"
#include "verifier/prover/problem/core_text.h"
#include "verifier/prover/problem/spoken.h"
#include "verifier/prover/relation/columns.h"

namespace quadrille::prover {

// The context in which all instances are made.
struct Instances {
  CoreText& text;
  Algebra& algebra;
  const Problem& problem;
  const std::vector<MessageFamilies>& messages;
  Watch& watch;
};

// Sums in closed form over all these ranges, the innermost first: " (sum k) (sum …)"; and the number of values.
// Throws Unsupported.
struct ClosedSums {
  std::string text;
  Number whole;
};
ClosedSums sums(const Instances& with, const std::vector<Atom>& variables, Span span);

// The relation of what is held (proof_induction.cpp): "(arrivals …)" and "(comes …)". Requires that all families have
// the schedule's own clock. Throws Unsupported, Ended.
struct RelationInstances {
  std::string arrivals, comes;
};
RelationInstances relation_instances(const Instances& with);

// The instances for an invariant (proof_induction.cpp): "(kept 1 1 …)" for each of its statements; "(passed_on m1 …)"
// for a message; and "(by_invariant …)". They throw Unsupported.
std::vector<std::string> kept_instances(const Instances& with, const SpokenInvariant& invariant);
std::string passed_on_instance(const Instances& with, const SpokenInvariant& invariant, const MessageFamilies& message);
std::string by_invariant_instance(const Instances& with, const SpokenInvariant& invariant);

// The instance for a claim: "(claimed 1 …)". Throws Unsupported, Ended.
std::string claim_instance(const Instances& with, const ClaimFormula& claim, const MeasureVariables& measures,
                           std::size_t number);

}  // namespace quadrille::prover
