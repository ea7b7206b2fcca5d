// The order of the operations of another system's program, as JSON for pages.
#pragma once

#include "cli/render/json_pieces.h"
#include "driver/check/check_goal.h"
#include "driver/check/check_plan.h"
#include "driver/check/check_program.h"
#include "model/text/source.h"

namespace quadrille::cli {

// {"operations", "edges", "cut"}, and of MSCCL XML "mend", the edges that its changes add. Requires that the outcome
// has the order of the operations.
Json order_json(const driver::CheckProgramOutcome& outcome, const Sources& sources);
Json order_json(const driver::CheckGoalOutcome& outcome, const Sources& sources);
Json order_json(const driver::CheckPlanOutcome& outcome);

}  // namespace quadrille::cli
