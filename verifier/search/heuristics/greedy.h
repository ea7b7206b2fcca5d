// List scheduling: step by step, every channel carries the waiting packets that need it most.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "verifier/search/problem/moves.h"
#include "verifier/search/problem/rows.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

// A schedule, or no rows if this way comes to none. Queue rules, single ports and injecting once are not looked after:
// the checker judges what comes out. `variant` chooses among ways to break ties.
//
// Per step and channel, first those packets that have farthest to go, where they are wanted by one processor; those
// that the fewest nodes have, where by many. Cost: steps x channels x chunks.
// Throws Ended when the watch, if there is one, has reached its limits.
std::vector<StepRow> greedy_schedule(const Fabric& fabric, const std::vector<Moves>& moves, std::uint32_t variant,
                                     Watch* watch = nullptr);

}  // namespace quadrille::searching
