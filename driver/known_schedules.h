// The schedules that ship, as starting points for a search.
#pragma once

#include <vector>

#include "driver/context.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/send_table.h"

namespace quadrille::driver {

// The tables of those shipped schedules that do this collective and can be had for this fabric: a parameter that is a
// number is the tree's levels, or the number of processors; one that is a pattern, the tree's capacities. Whether they
// keep to the fabric's rules is for the checker to say. None where there are millions of demands: that would take long.
std::vector<SendTable> known_tables(const Fabric& fabric, const Collective& collective, Context& context);

}  // namespace quadrille::driver
