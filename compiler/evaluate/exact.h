// Exact values of expressions in which quotients are fractions: what the load is compared with.
#pragma once

#include <compare>

#include "compiler/evaluate/evaluate.h"
#include "compiler/ir.h"
#include "model/terms/fraction.h"

namespace quadrille {

// Compares the fraction with the value of an integer expression, read exactly: in what is written with + - * / ^ mod,
// `if`, folds, min, max and abs no quotient is rounded, nor in the comparisons of its conditions. What a name, another
// function or operator gives is whole, and so are the latter's arguments. Errors: those of Evaluator::value; a value of
// more than 4096 bits (Code::limit).
std::strong_ordering compared(const Fraction& fraction, const ir::Expression& e, Evaluator& evaluator,
                              Evaluator::Slot* frame);

}  // namespace quadrille
