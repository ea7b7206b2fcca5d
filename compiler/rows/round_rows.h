// round_rows makes the rows of a plan in rounds, message by message.
#pragma once

#include <memory>

#include "compiler/plan/plan.h"
#include "compiler/rows/evaluated_cursor.h"
#include "model/send_table.h"

namespace quadrille {

// Returns rows that are made as they are read, like those of plan_rows (rows.h).
std::shared_ptr<const PlannedRows> round_rows(std::shared_ptr<const Plan> plan);

// Makes all rows once, so that reading them cannot fail later, and notes their number in the plan. Throws
// EvaluationError.
void try_rounds(Plan& plan);

}  // namespace quadrille
