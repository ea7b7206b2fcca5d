// Progressions are sets of numbers at equal distances. They need not be listed: 2..10, and {2*i + 1 for i in 1..2^61}.
#pragma once

#include <optional>

#include "compiler/evaluate/evaluate.h"

namespace quadrille {

// Returns the set's elements; nothing where it does not recognise equal distances. The step is not 0. May fail as an
// evaluation does.
std::optional<Evaluator::Progression> progression_of(Evaluator& evaluator, const ir::Expression& set,
                                                     Evaluator::Slot* frame);
// Returns the last element. Requires that there is one.
std::int64_t last_of(const Evaluator::Progression& all);
bool contains(const Evaluator::Progression& all, std::int64_t value);

}  // namespace quadrille
