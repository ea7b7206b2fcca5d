// List scheduling goes step by step: every channel carries the waiting packets that need it most.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "verifier/search/problem/moves.h"
#include "verifier/search/problem/rows.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

// Returns a schedule; no rows if list scheduling finds none. It ignores queue rules, single ports and injecting once;
// the checker judges the result. `variant` chooses how ties are broken.
//
// In each step and on each channel, packets for one processor go in the order of the distance that is left, the
// farthest first; packets for several go in the order of the number of nodes that have them, the fewest first. Cost:
// steps x channels x chunks. Throws Ended when the watch, if there is one, has reached its limits.
std::vector<StepRow> greedy_schedule(const Fabric& fabric, const std::vector<Moves>& moves, std::uint32_t variant,
                                     Watch* watch = nullptr);

}  // namespace quadrille::searching
