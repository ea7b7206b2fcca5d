// statements_in_time makes the statements of an invariant that change from step to step, and no others.
#pragma once

#include <cstddef>
#include <memory>

#include "compiler/plan/plan.h"
#include "model/invariant.h"

namespace quadrille {

// Returns null where loops, or what a statement is about, depend on the step.
std::unique_ptr<StatementsInTime> statements_in_time(std::shared_ptr<const Plan> plan, std::size_t invariant,
                                                     const Limits& limits);

}  // namespace quadrille
