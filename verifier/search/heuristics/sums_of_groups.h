// All-reduces in which each group of processors makes its own sum, and the sums of groups then spread like rumours.
#pragma once

#include <cstdint>
#include <optional>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/send_table.h"
#include "verifier/search/heuristics/shift_group.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

// A schedule of the all-reduce that is its own image under all shifts; nothing if a shift changes a processor's place
// in its group, or if it would take more than `at_most` steps. A group is `size` processors that are numbered one after
// another. `seed` decides ties. Requires an all-reduce of one value in any order of addition, switches that do not
// reduce, and a divisor of the number of processors that makes at most 64 groups. Throws Ended when the watch has
// reached its limits.
std::optional<SendTable> sums_of_groups(const Fabric& fabric, const Collective& allreduce, const ShiftGroup& shifts,
                                        std::uint32_t size, std::uint32_t seed, std::uint64_t at_most, Watch& watch);

}  // namespace quadrille::searching
