// Small faults in an execution plan, drawn at random.
#pragma once

#include <random>
#include <string>

#include "programs/mscclpp/plan.h"

namespace quadrille::programs {

struct PlanMutant {
  ExecutionPlan plan;
  std::string fault;  // what was changed, and where: "gpu 1 block 0: drops ops[3] wait"
};

// Drops, repeats, moves or swaps an operation, or changes what it names: chunks, channels, peers, shares, semaphores,
// barriers, or its kind; or what the plan declares. Requires a plan with an operation.
PlanMutant mutated(const ExecutionPlan& plan, std::mt19937_64& random);

}  // namespace quadrille::programs
