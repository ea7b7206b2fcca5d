// Spreading: a greedy schedule of a collective with an idempotent operation, for which no contribution comes too
// often.
#pragma once

#include <vector>

#include "verifier/search/problem/rows.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

// In each step neighbours send one another what they hold; the sends that bring the most new contributions go first.
// No rows for other operations, on fabrics with switches, or where it would be too much work: more than 2^22 words of
// 64 contributions. The checker must say whether everything has arrived in the end. Throws Ended when the watch, if
// there is one, has reached its limits.
std::vector<StepRow> spreading_schedule(const Fabric& fabric, const Collective& collective, Watch* watch);

}  // namespace quadrille::searching
