// Sets of numbers at equal distances, which need not be listed: 2..10, and {2*i + 1 for i in 1..2^61}.
#pragma once

#include <optional>

#include "compiler/evaluate/evaluate.h"

namespace quadrille {

// The set's elements; nothing where they are not seen to be at equal distances. The step is not 0. May fail as an
// evaluation does.
std::optional<Evaluator::Progression> progression_of(Evaluator& evaluator, const ir::Expression& set,
                                                     Evaluator::Slot* frame);
// The last of them. Requires that there is one.
std::int64_t last_of(const Evaluator::Progression& all);
bool contains(const Evaluator::Progression& all, std::int64_t value);

}  // namespace quadrille
