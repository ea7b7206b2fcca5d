// The order of the operations of a schedule in GOAL, as edges of an order graph.
#pragma once

#include <vector>

#include "programs/goal/goal.h"
#include "programs/goal/match.h"
#include "programs/order_graph.h"

namespace quadrille::programs {

// The dependencies of a schedule in GOAL, whose operations are numbered rank by rank. Nothing if it has more
// operations than are listed.
std::vector<OrderEdge> goal_dependencies(const GoalSchedule& schedule);
// Likewise the messages between sends and receptions that always meet. If the timing decides who meets, there is no
// edge.
std::vector<OrderEdge> goal_messages(const GoalSchedule& schedule, const GoalMatch& match);

}  // namespace quadrille::programs
