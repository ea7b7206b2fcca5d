// Joining trees are trees of flights by which the contributions to a value come together at processors.
#pragma once

#include <cstdint>
#include <vector>

#include "verifier/search/problem/rows.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

// The processor that a tree takes in next: the one that it can reach first, or the one that takes longest to reach.
enum class Next : std::uint8_t { nearest, farthest };

// Returns a schedule of a reduce, reduce_scatter, allreduce or barrier. Returns no rows for other collectives, for
// ordered operations and irregular collectives, where switches join packets that meet in them, where there is no route
// (or none as wide back), or where it would be too much work: more than 2^24 flights to look at. It ignores queue
// rules; the checker judges the result. Throws Ended when the watch, if there is one, has reached its limits.
std::vector<StepRow> joining_trees(const Fabric& fabric, const Collective& collective, Next next, Watch* watch);

}  // namespace quadrille::searching
