// Spanning trees of an all-gather or a broadcast, grown together: in each step every channel brings a chunk to a
// processor that lacks it, where there is one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/collective.h"
#include "verifier/search/heuristics/shift_group.h"
#include "verifier/search/problem/rows.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

// A schedule that is its own image under all shifts; no rows if some processor cannot be reached, or if it would take
// more than `at_most` steps. `seed` decides ties. Requires a fabric without switches, with a port for each link and in
// full duplex, and a copying collective that wants every chunk everywhere. Cost: steps x channels x chunks of one
// processor of each orbit. Throws Ended when the watch has reached its limits.
std::vector<StepRow> spanning_trees(const Fabric& fabric, const Collective& collective, const ShiftGroup& shifts,
                                    std::uint32_t seed, std::uint64_t at_most, Watch& watch);

}  // namespace quadrille::searching
