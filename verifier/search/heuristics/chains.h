// Chains: a simple schedule of a combining collective on any fabric and with any rules: partial reductions grow from
// one processor to the next, each sent to its neighbour by number, as soon as there is room on the whole way.
#pragma once

#include <vector>

#include "verifier/search/problem/rows.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

// A value comes from both ends of 0 … n-1 to the processor that wants it (allreduce: to the middle one, and back
// from there); a prefix goes up. No rows if there is no way, or it would be millions. Ordered collectives, too. Throws
// Ended when the watch, if there is one, has reached its limits.
std::vector<StepRow> chain_schedule(const Fabric& fabric, const Collective& collective, Watch* watch = nullptr);

}  // namespace quadrille::searching
