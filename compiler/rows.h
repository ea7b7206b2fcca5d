// A plan's rows, made step by step as they are read.
#pragma once

#include <memory>

#include "compiler/plan.h"
#include "model/send_table.h"

namespace quadrille {

// Rows of a step come in the order of their sends; the packets that cross a channel take its lanes in that order.
// Memory: the rows in flight.
std::shared_ptr<const RowSource> plan_rows(std::shared_ptr<const Plan> plan);

}  // namespace quadrille
