// Writes an execution plan as the JSON that the executor loads.
#pragma once

#include <string>

#include "programs/mscclpp/plan.h"

namespace quadrille::programs {

// The plan as JSON, with the keys and in the order that MSCCL++'s own tools write. read_execution_plan() returns the
// same plan. Cost: linear.
std::string write_execution_plan(const ExecutionPlan& plan);

}  // namespace quadrille::programs
