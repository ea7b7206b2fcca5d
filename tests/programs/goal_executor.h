// A slow, obvious executor of GOAL for tests, written apart from the judge: at each receiver a list of messages that
// came and one of receptions that began, as in LogGOPSim; what happens next is drawn at random.
#pragma once

#include <cstdint>
#include <random>

#include "programs/goal/goal.h"

namespace quadrille::programs {

struct GoalOutcome {
  bool ended = false;        // every operation
  bool empty = false;        // both lists, of all ranks
  bool sizes_agreed = true;  // of all that met
};

GoalOutcome execute_goal(const GoalSchedule& schedule, std::uint64_t eager, std::mt19937& dice);

}  // namespace quadrille::programs
