// Two rounds by way of one switch that reduces: all send there, and it sends to each what is wanted there.
#pragma once

#include <optional>

#include "model/send_table.h"

namespace quadrille::searching {

// Requires messages_join(…) (joins.h), and that the hub is a switch. Nothing for exclusive prefixes, where there
// is no way, or it would be many packets. Whether it keeps to the rules is for the checker to say.
std::optional<SendTable> hub_table(const Fabric& fabric, const Collective& collective, NodeId hub);

}  // namespace quadrille::searching
