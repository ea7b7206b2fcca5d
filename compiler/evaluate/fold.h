// Folding: a copy of a statement in which everything that its own loops do not change has been worked out.
#pragma once

#include "compiler/evaluate/evaluate.h"
#include "compiler/ir.h"

namespace quadrille {

// The statement with each number, truth value or node that depends on no variable which the statement itself sets
// replaced by its value in this frame. What cannot be evaluated (it may never be reached) stays as it is.
ir::Statement folded(const ir::Statement& statement, Evaluator& evaluator, Evaluator::Slot* frame);

}  // namespace quadrille
