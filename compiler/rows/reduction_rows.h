// A plan's rows, with what they say of partial reductions.
#pragma once

#include <memory>

#include "compiler/plan/plan.h"
#include "compiler/rows/evaluated_cursor.h"

namespace quadrille {

// The same rows. All of them are made once at once, so that reading them cannot fail later. Throws EvaluationError.
std::shared_ptr<const RowSource> reduction_rows(std::shared_ptr<const Plan> plan,
                                                std::shared_ptr<const PlannedRows> rows);

}  // namespace quadrille
