// Collects all obligations of a problem, and the properties that they do not cover, or not completely.
#pragma once

#include <optional>
#include <vector>

#include "verifier/prover/obligations/writing.h"
#include "verifier/prover/problem/expressions.h"
#include "verifier/prover/relation/relation.h"

namespace quadrille::prover {

struct CollectedObligations {
  std::vector<Obligation> obligations;
  std::vector<ProvedObligation> open;      // unknown: something of these properties could not be written
  std::optional<Unsupported> unsupported;  // the first reason for that, if it is one
};

// Approaches that may fail where others do not.
struct Approaches {
  // Puts formulas for the levels at which packets turn (apex.cpp), where some are found, into the problem's families.
  bool with_apexes = true;
  // For copying, proves by the invariants, if there are any, that processors hold what they send and want.
  bool by_invariants = true;
};

// Collects the obligations. `expressions` read the problem's claims; the conditions that they bring are added to the
// problem.
CollectedObligations collect(Algebra& algebra, Problem& problem, Expressions& expressions, Watch& watch,
                             const Approaches& approaches);

// What shows, by the relation of what is held, that everyone has what it sends, and gets what it wants: in place of the
// obligations of `causal` and `complete`.
struct CollectedByRelation {
  GuessedRelation guess;
  std::optional<ProvedRelation> text;  // nothing: the steps are not known
  std::vector<Number> starts;          // of each family, the step in which its sends leave
  std::vector<Obligation> obligations;
};

// `with_digits`: the relation is guessed in the language with binary digits. Throws Unsupported, also where no relation
// is found; and Ended.
CollectedByRelation collect_by_relation(Algebra& algebra, const Problem& problem, Watch& watch, bool with_digits);

// Collects the obligations of these claims once more, by a relation that is shown: it says how long messages are that
// carry what is held. Conditions that the claims add to the problem become obligations, too.
CollectedObligations collect_claims(Algebra& algebra, Problem& problem, Expressions& expressions, Watch& watch,
                                    const CollectedByRelation& shown, const std::vector<ProvedObligation>& claims);

}  // namespace quadrille::prover
