// Collectives whose messages have different numbers of parts: `total_exchange(parts(s, t): 1 + t mod 2)`.
#pragma once

#include "compiler/evaluate/evaluate.h"
#include "compiler/ir.h"
#include "model/collective.h"

namespace quadrille {

// Turns the description (its kind, and its root) into a custom one, whose chunks are the parts that the argument gives
// each message: parts(s, t) of a total exchange; parts(p) of scatter, gather and allgather, where p is the processor
// that gets or has the message. A message of no parts has no chunks. Throws EvaluationError.
void irregular_chunks(const ir::Argument& argument, Evaluator& evaluator, Evaluator::Slot* frame,
                      CollectiveDescription& description);

}  // namespace quadrille
