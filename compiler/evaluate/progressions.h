// Progressions are sets of numbers at equal distances. They need not be listed: 2..10, and {2*i + 1 for i in 1..2^61}.
// The products {s*g for s in 2..9, g in 2..2^61} are eight of them.
#pragma once

#include <optional>
#include <vector>

#include "compiler/evaluate/evaluate.h"

namespace quadrille {

// Returns progressions that together have the set's elements, one for each value of all its variables but the last;
// nothing where it does not recognise equal distances. No step is 0. May fail as an evaluation does.
std::optional<std::vector<Evaluator::Progression>> progressions_of(Evaluator& evaluator, const ir::Expression& set,
                                                                   Evaluator::Slot* frame);
// Returns the last element. Requires that there is one.
std::int64_t last_of(const Evaluator::Progression& all);
bool contains(const Evaluator::Progression& all, std::int64_t value);

}  // namespace quadrille
