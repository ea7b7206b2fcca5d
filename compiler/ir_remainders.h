// Remainders are sets {x mod N for x in S}, also written S mod N. Where S is a range, the set is a cyclic interval.
#pragma once

#include <optional>

#include "compiler/ir_expression.h"

namespace quadrille::ir {

// The parts of {x mod N for x in S}, however it was written.
struct Remainders {
  const Expression* range = nullptr;    // S
  const Expression* divisor = nullptr;  // N; it does not depend on x
};
// Returns the parts of a set of that form; nothing for any other set.
inline std::optional<Remainders> remainders_of(const Expression& set) {
  const auto* all = std::get_if<Comprehension>(&set.node);
  if (all == nullptr || all->each->bindings.size() != 1 || all->each->condition) return std::nullopt;
  const VariableId variable = all->each->bindings[0].variable;
  const auto is_variable = [&](const Expression& e) {
    const auto* use = std::get_if<VariableUse>(&e.node);
    return use != nullptr && use->variable == variable;
  };
  const auto* quotient = std::get_if<Binary>(&all->each->element.node);
  if (quotient == nullptr || quotient->op != BinaryOperator::modulo || !is_variable(*quotient->left) ||
      any_part(*quotient->right, is_variable)) {
    return std::nullopt;
  }
  return Remainders{&all->each->bindings[0].set, &*quotient->right};
}

}  // namespace quadrille::ir
