// Trees of messages in rounds, towards a processor and from there to all, give a search its first schedules.
#pragma once

#include <functional>

#include "model/send_table.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

// Offers schedules by trees of different shapes and roots, while `take` says that another may be of use. Offers none
// where that would be much work, where some processor is not reached, or for a prefix. The checker decides whether they
// keep to the rules. Throws Ended when the watch has reached its limits.
void for_round_trees(const Fabric& fabric, const Collective& collective, Watch& watch,
                     const std::function<bool(SendTable table)>& take);

}  // namespace quadrille::searching
