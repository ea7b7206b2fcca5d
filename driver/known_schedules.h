// The schedules that ship, as starting points for a search.
#pragma once

#include <vector>

#include "compiler/compile.h"
#include "driver/context.h"
#include "model/collective.h"
#include "model/fabric.h"
#include "model/send_table.h"

namespace quadrille::driver {

// Arguments with which a schedule is for this fabric and collective: a number without a default is the number of
// processors, or, if it is not called N, the tree's levels; `root` is the collective's; a pattern, the tree's
// capacities. Whether there is such a schedule is for elaborate() to say.
Arguments arguments_for(const ir::Schedule& schedule, const Fabric& fabric, const Collective& collective);

// The tables of those shipped schedules that do this collective and can be had for this fabric (arguments_for). Whether
// they keep to the fabric's rules is for the checker to say. None where there are millions of demands: that would take
// long.
std::vector<SendTable> known_tables(const Fabric& fabric, const Collective& collective, Context& context);

}  // namespace quadrille::driver
