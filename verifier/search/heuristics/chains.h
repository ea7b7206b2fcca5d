// Chains: a simple schedule of a combining collective on any fabric with any rules. A partial reduction grows from
// one processor to the next by number. Each packet is sent as soon as there is room on its whole path.
#pragma once

#include <vector>

#include "verifier/search/problem/rows.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

// A value comes from both ends of 0 … n-1 to the processor that wants it (allreduce: to the middle one, and back from
// there); a prefix goes up. Ordered collectives are served, too. No rows if some pair has no path, or if there would
// be millions of rows. Throws Ended when the watch, if there is one, has reached its limits.
std::vector<StepRow> chain_schedule(const Fabric& fabric, const Collective& collective, Watch* watch = nullptr);

}  // namespace quadrille::searching
