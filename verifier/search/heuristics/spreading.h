// Spreading: a greedy schedule of a collective whose operation is idempotent, where no contribution comes too often.
#pragma once

#include <vector>

#include "verifier/search/problem/rows.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

// In each step neighbours tell one another what they hold, those first who bring the most that is new. No rows for
// other operations, on fabrics with switches, or where that would be too much work: more than 2^22 words of 64
// contributions. Whether everything has come in the end is for the checker to say. Throws Ended when the watch, if
// there is one, has reached its limits.
std::vector<StepRow> spreading_schedule(const Fabric& fabric, const Collective& collective, Watch* watch);

}  // namespace quadrille::searching
