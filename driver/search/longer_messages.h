// In rounds a message may be as long as one likes: a schedule of whole messages is one of messages in parts.
#pragma once

#include <optional>

#include "model/collective.h"
#include "model/send_table.h"

namespace quadrille::driver {

// The same collective with one part; nothing if it has no more, or is listed.
std::optional<Collective> in_one_part(const Collective& collective);

// The table, of in_one_part(collective), with all parts wherever it has one. Nothing where the parts cannot be told.
std::optional<SendTable> with_longer_messages(const SendTable& table, const Collective& collective);

}  // namespace quadrille::driver
