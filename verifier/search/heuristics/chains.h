// A chain is a simple schedule of a combining collective on any fabric and with any rules. Partial reductions grow from
// one processor to the next by number; each is sent on as soon as there is room on the whole path.
#pragma once

#include <vector>

#include "verifier/search/problem/rows.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

// Returns the rows of a chain; none if there is no route, or if there would be millions of rows. A value comes from
// both ends of 0 … n-1 to the processor that wants it (allreduce: to the middle one, and back from there); a prefix
// goes upwards. It also serves ordered collectives. Throws Ended when the watch, if there is one, has reached its
// limits.
std::vector<StepRow> chain_schedule(const Fabric& fabric, const Collective& collective, Watch* watch = nullptr);

}  // namespace quadrille::searching
