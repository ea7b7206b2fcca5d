// Which of a processor's partial reductions a send chains that wants a sum of contributions sent.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/messages/contribution_set.h"

namespace quadrille {

// Which ones make up `wanted`, in the order in which they are chained; nothing if none do. Of those that begin with the
// lowest contribution that is missing, and bring none that is not wanted, the largest that leads to the end is taken;
// of equally large ones the one that came first.
std::optional<std::vector<std::uint32_t>> making_up(std::span<const ContributionSet> held,
                                                    const ContributionSet& wanted, bool idempotent);

}  // namespace quadrille
