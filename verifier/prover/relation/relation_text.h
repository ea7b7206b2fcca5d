// A relation of what is held as an invariant of the schedule's language (dsl/LANGUAGE.md).
#pragma once

#include "verifier/prove.h"
#include "verifier/prover/relation/relation.h"

namespace quadrille::prover {

// `steps`: that the schedule takes.
ProvedRelation relation_text(Algebra& algebra, const Problem& problem, const Relation& relation, const Number& steps);

}  // namespace quadrille::prover
