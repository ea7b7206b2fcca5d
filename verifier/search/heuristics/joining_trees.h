// Trees of flights in which the contributions to a value come together at a processor.
#pragma once

#include <cstdint>
#include <vector>

#include "verifier/search/problem/rows.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

// The processor that a tree takes next: the one that it can reach first, or the one that it can reach last.
enum class Next : std::uint8_t { nearest, farthest };

// A schedule of a reduce, reduce_scatter, allreduce or barrier. No rows for other collectives, for ordered
// operations, for more than 4096 processors, where switches join packets that meet in them, where some pair has no
// path (or none of the same capacity back), or where it would be too much work: more than 2^24 flights to look at.
// Queue rules are ignored, so the checker must judge the schedule. Throws Ended when the watch, if there is one, has
// reached its limits.
std::vector<StepRow> joining_trees(const Fabric& fabric, const Collective& collective, Next next, Watch* watch);

}  // namespace quadrille::searching
