// The invariants of a schedule, as its table hands them over: evaluated step by step when somebody asks.
#pragma once

#include <memory>
#include <vector>

#include "compiler/plan/plan.h"
#include "model/invariant.h"

namespace quadrille {

// Those of a schedule in rounds whose messages have become packets say nothing of any step.
std::vector<Invariant> invariants_of(const std::shared_ptr<const Plan>& plan);

}  // namespace quadrille
