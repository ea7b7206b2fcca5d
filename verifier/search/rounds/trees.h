// Trees of messages in rounds, to begin a search with: towards a processor, and from there to all.
#pragma once

#include <functional>

#include "model/send_table.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

// Offers schedules by trees of different shapes and roots, while `take` says that another may be of use. None where
// that would be much work, somebody is not reached, or the collective is a prefix. Whether they keep to the rules is
// for the checker to say. Throws Ended when the watch has reached its limits.
void for_round_trees(const Fabric& fabric, const Collective& collective, Watch& watch,
                     const std::function<bool(SendTable table)>& take);

}  // namespace quadrille::searching
