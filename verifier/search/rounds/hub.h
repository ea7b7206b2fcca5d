// A schedule of two rounds through one switch that reduces: all send to it, and it sends each target its results.
#pragma once

#include <optional>

#include "model/send_table.h"

namespace quadrille::searching {

// Requires messages_join(…) (joins.h), and that the hub is a switch. Nothing for exclusive prefixes, if some path is
// missing, or if there would be many packets. The checker must judge whether it keeps to the rules.
std::optional<SendTable> hub_table(const Fabric& fabric, const Collective& collective, NodeId hub);

}  // namespace quadrille::searching
