// A plan's rows, made step by step as they are read.
#pragma once

#include <memory>

#include "compiler/plan.h"
#include "model/send_table.h"

namespace quadrille {

// Of the rows of a step, those of sends that go their default route without waiting come first: by the step in which
// they started, then in the order of the sends. Those of all others (reversed, waiting, under a discipline) follow, in
// the order of the sends. The packets that cross a channel take its lanes in that order. Memory: the rows in flight.
std::shared_ptr<const RowSource> plan_rows(std::shared_ptr<const Plan> plan);

}  // namespace quadrille
