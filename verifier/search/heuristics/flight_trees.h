// Trees of flights in which contributions come together, planned backwards: a result spreads from the processor that
// wants it, as a copy would, and every flight is then flown the other way round.
#pragma once

#include <cstdint>
#include <vector>

#include "model/collective.h"
#include "verifier/search/heuristics/shift_group.h"
#include "verifier/search/heuristics/trips.h"
#include "verifier/search/problem/rows.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

// A schedule that is its own image under all shifts; no rows if some processor cannot send to where its contribution is
// wanted, or if it would take more than `at_most` steps. `seed` decides ties. Requires a collective that wants every
// value at one processor, in any order of addition, and switches that do not reduce. Throws Ended when the watch has
// reached its limits.
std::vector<StepRow> flight_trees(const Fabric& fabric, const Collective& collective, const ShiftGroup& shifts,
                                  std::uint32_t seed, std::uint64_t at_most, Watch& watch);

}  // namespace quadrille::searching
