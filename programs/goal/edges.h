// What orders the operations of a schedule in GOAL, as edges of an order graph.
#pragma once

#include <vector>

#include "programs/goal/goal.h"
#include "programs/goal/match.h"
#include "programs/order_graph.h"

namespace quadrille::programs {

// Of a schedule in GOAL, whose operations are numbered rank by rank: its dependencies; nothing if it has more
// operations than are listed.
std::vector<OrderEdge> goal_dependencies(const GoalSchedule& schedule);
// Likewise the messages: of sends and receptions that always meet; where the timing decides, there is no edge.
std::vector<OrderEdge> goal_messages(const GoalSchedule& schedule, const GoalMatch& match);

}  // namespace quadrille::programs
