// The least time of a broadcast in the round model of the ideal fat tree, by trying everything.
#pragma once

#include <cstdint>

#include "tests/reference/ideal_counts.h"

namespace quadrille::reference {

// A round is as long as twice the height that its messages reach; the sum over the rounds. For at most 16 leaves. A
// message that is `held` has a lane of each channel for the whole round, as in our rounds; in the paper's, in one step.
std::uint64_t round_optimum(const Capacities& capacities, bool held);

}  // namespace quadrille::reference
