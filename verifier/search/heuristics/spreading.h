// Spreading is a greedy schedule of a collective whose operation is idempotent: no contribution can arrive too often.
#pragma once

#include <vector>

#include "verifier/search/problem/rows.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

// Returns the rows. In each step neighbours send one another the contributions that they hold; senders that bring the
// most new ones go first. Returns no rows for other operations, on fabrics with switches, or where it would be too much
// work: more than 2^22 words of 64 contributions. The checker decides whether everything has arrived in the end. Throws
// Ended when the watch, if there is one, has reached its limits.
std::vector<StepRow> spreading_schedule(const Fabric& fabric, const Collective& collective, Watch* watch);

}  // namespace quadrille::searching
