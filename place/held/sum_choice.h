// making_up chooses the partial reductions of a processor that a send chains to a wanted sum of contributions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "motion/contribution_set.h"

namespace quadrille {

// Returns the partial reductions that make up `wanted`, in the order in which they are chained; nothing if none do. It
// considers those that contain the lowest missing contribution and bring none that is not wanted, and takes the
// largest that leads to a solution; of equally large ones, the first in `held`.
std::optional<std::vector<std::uint32_t>> making_up(std::span<const ContributionSet> held,
                                                    const ContributionSet& wanted, bool idempotent);

}  // namespace quadrille
