// Programs of ranks as an MSCCL++ execution plan.
#pragma once

#include <cstdint>
#include <vector>

#include "export/program.h"
#include "export/targets.h"
#include "model/limits/limits.h"
#include "model/text/result.h"
#include "programs/mscclpp/plan.h"

namespace quadrille::exporting {

// The ranks' blocks, channels and memory; the head is left to the caller. All ranks keep step with those that they hear
// from: of each step a rank sends, waits for what comes, and adds it up. Where a block would have more operations or
// channels than the executor takes, another one goes on. No two ranks wait for each other: before what is sent in a
// step nothing is waited for but what others send in earlier ones. Or what does not fit together, or the limit that was
// reached.
Result<programs::ExecutionPlan> mscclpp_program(const std::vector<ProcessorProgram>& ranks, const PlanChoices& choices,
                                                const Limits& limits);

// An all-reduce in the switch (NVLS), likewise. The input has a chunk for each rank, which has the switch add up all
// ranks' and store it in all outputs: between two rounds in which each rank signals to all, and waits for all. Requires
// two ranks at least.
programs::ExecutionPlan switch_plan(std::uint32_t ranks, const PlanChoices& choices);

}  // namespace quadrille::exporting
