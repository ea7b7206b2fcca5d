// The schedules that ship, as starting points for a search.
#pragma once

#include <functional>
#include <vector>

#include "driver/inputs/context.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/send_table.h"

namespace quadrille::driver {

// Takes a table; says whether another may still be of use.
using TakeTable = std::function<bool(SendTable table)>;

// Offers the tables of those shipped schedules that do this collective, or what serves it (fit.h), and can be had for
// this fabric: as tables of this collective, as they are, and then retimed, with all arguments that may be of use
// (known_arguments.h); then those of collectives that schedules of this one can be made of (related_collectives()).
// Whether they keep to the fabric's rules is for the checker to say. None where there are millions of demands: that
// would take long. Ends when the limits are reached.
void offer_known_tables(const Fabric& fabric, const Collective& collective, Context& context, const TakeTable& take);

}  // namespace quadrille::driver
