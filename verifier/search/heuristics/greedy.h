// List scheduling: in each step, every channel carries the waiting packets that need it most.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "verifier/search/problem/moves.h"
#include "verifier/search/problem/rows.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

// A schedule; no rows if the heuristic finds none. It ignores queue rules, single ports and injecting once, so the
// checker must judge the schedule. `variant` chooses among tie-breaking rules.
//
// In each step and channel, packets for one processor go in the order of the longest distance left; chunks for many
// processors go in the order of the fewest holders. Cost: steps x channels x chunks. Throws Ended when the watch, if
// there is one, has reached its limits.
std::vector<StepRow> greedy_schedule(const Fabric& fabric, const std::vector<Moves>& moves, std::uint32_t variant,
                                     Watch* watch = nullptr);

}  // namespace quadrille::searching
