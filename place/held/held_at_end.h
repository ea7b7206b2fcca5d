// HeldAtEnd: the partial reductions that processors end with, as far as something has come to them.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "motion/contribution_set.h"
#include "motion/held_reductions.h"

namespace quadrille {

// By value and processor: the one held, and then, sorted, those that were kept. At other places a processor holds its
// own contribution.
using HeldAtEnd = std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<ContributionSet>>;

HeldAtEnd held_at_end(const HeldReductions& held);

// Whether every processor has the same in both.
bool same_held(const HeldAtEnd& a, const HeldAtEnd& b);

}  // namespace quadrille
