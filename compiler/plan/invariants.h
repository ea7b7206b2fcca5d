// invariants_of makes the invariants that a schedule's table hands over. They are evaluated step by step, on demand.
#pragma once

#include <memory>
#include <vector>

#include "compiler/plan/plan.h"
#include "model/invariant.h"

namespace quadrille {

// Returns the invariants of the plan's schedule. Those of a schedule in rounds whose messages have become packets say
// nothing of any step.
std::vector<TableInvariant> invariants_of(const std::shared_ptr<const Plan>& plan);

}  // namespace quadrille
