// A hub schedule takes two rounds through one switch that reduces: all processors send to it, and it sends to each
// processor the values that this one wants.
#pragma once

#include <optional>

#include "model/send_table.h"

namespace quadrille::searching {

// Returns the schedule; nothing for exclusive prefixes, where there is no route, or where there would be many packets.
// The checker decides whether it keeps to the rules. Requires messages_join(…) (joins.h), and that the hub is a switch.
std::optional<SendTable> hub_table(const Fabric& fabric, const Collective& collective, NodeId hub);

}  // namespace quadrille::searching
