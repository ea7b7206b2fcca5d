// A slow, obvious executor of execution plans for tests, written apart from the judge, from the executor's source: it
// does what each thread does, unit by unit, in an order drawn at random, over several launches, and looks at what comes
// out. A run that fails shows that a plan is wrong; one that does not shows nothing.
#pragma once

#include <cstdint>
#include <optional>

#include "programs/mscclpp/plan.h"
#include "tests/programs/plan_unfolding.h"

namespace quadrille::programs {

struct PlanRunOptions {
  std::uint64_t seed = 1;
  std::uint32_t launches = 3;
  std::uint32_t others = 0;  // launches of other plans between two of this one
  std::uint32_t turns = 1;   // of the pipeline with most turns
};

// Runs all launches on all GPUs once. Nothing: all that was seen is right.
std::optional<PlanFailure> run_plan(const ExecutionPlan& plan, const PlanRunOptions& options);

}  // namespace quadrille::programs
