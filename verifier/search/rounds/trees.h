// Trees of messages in rounds, as first schedules of a search: towards a processor, and from there to all.
#pragma once

#include <functional>

#include "model/limits/watch.h"
#include "model/send_table.h"

namespace quadrille::searching {

// Offers schedules by trees of different shapes and roots, while `take` returns that another may be of use. Offers
// none if that would be much work, if some processor is not reached, or for prefixes. The checker must judge whether
// they keep to the rules. Throws Ended when the watch has reached its limits.
void for_round_trees(const Fabric& fabric, const Collective& collective, Watch& watch,
                     const std::function<bool(SendTable table)>& take);

}  // namespace quadrille::searching
