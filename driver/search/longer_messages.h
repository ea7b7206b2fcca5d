// In rounds a message may have any length. So a schedule of whole messages is also one of messages in parts.
#pragma once

#include <optional>

#include "model/collective.h"
#include "model/send_table.h"

namespace quadrille::driver {

// The same collective with one part; nothing if it has only one, or is listed.
std::optional<Collective> in_one_part(const Collective& collective);

// Gives a table of in_one_part(collective) all parts wherever it has one. Nothing if the parts cannot be told apart.
std::optional<SendTable> with_longer_messages(const SendTable& table, const Collective& collective);

}  // namespace quadrille::driver
