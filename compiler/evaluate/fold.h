// Folding copies a statement, and evaluates in the copy every expression that the statement's own loops do not change.
#pragma once

#include "compiler/evaluate/evaluate.h"
#include "compiler/ir.h"

namespace quadrille {

// Returns the statement with the values, in this frame, of all numbers, truth values and nodes that depend on no
// variable that the statement itself sets. An expression that cannot be evaluated stays as it is, since it may never be
// reached.
ir::Statement folded(const ir::Statement& statement, Evaluator& evaluator, Evaluator::Slot* frame);

}  // namespace quadrille
