// The schedules that ship, as starting points for a search.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "driver/inputs/context.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/send_table.h"

namespace quadrille::driver {

// Takes a table; returns whether another may still be of use.
using TakeTable = std::function<bool(SendTable table)>;

// Offers tables of shipped schedules. First, those of schedules that do this collective, or one that serves it
// (fit.h), and that exist for this fabric: as tables of this collective, as they are, and then retimed, with all
// arguments that may be of use (known_arguments.h). Then those of collectives from which schedules of this one can be
// made (related_collectives()). The checker must judge whether they keep to the fabric's rules. Offers none if there
// are millions of demands, as that would take long. Ends when the limits are reached.
void offer_known_tables(const Fabric& fabric, const Collective& collective, Context& context, const TakeTable& take);

// In rounds a message may have any length. So a schedule of whole messages is also one of messages in parts.
//
// The same collective with one part; nothing if it has only one, or is listed.
std::optional<Collective> in_one_part(const Collective& collective);

// Gives a table of in_one_part(collective) all parts wherever it has one. Nothing if the parts cannot be told apart.
std::optional<SendTable> with_longer_messages(const SendTable& table, const Collective& collective);

}  // namespace quadrille::driver
