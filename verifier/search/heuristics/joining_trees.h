// Trees of flights by which the contributions to a value come together at processors.
#pragma once

#include <cstdint>
#include <vector>

#include "verifier/search/problem/rows.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

// Which processor comes next into a tree: the one that it can reach first, or the one that takes it longest.
enum class Next : std::uint8_t { nearest, farthest };

// A schedule of a reduce, reduce_scatter, allreduce or barrier. No rows for other collectives, ordered operations and
// irregular ones, where switches join what meets in them, where there is no way (or none as wide back), or where it
// would be too much work: more than 2^24 flights to look at. Queue rules are not looked after: the checker judges what
// comes out. Throws Ended when the watch, if there is one, has reached its limits.
std::vector<StepRow> joining_trees(const Fabric& fabric, const Collective& collective, Next next, Watch* watch);

}  // namespace quadrille::searching
