// graph_cuts searches for cuts of fabrics whose topology knows none.
#pragma once

#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "model/topology.h"

namespace quadrille::bounds {

// Returns some cuts over which the collective takes many steps, the more promising first; none where the topology
// knows its own cuts and the fabric is large. Any cut gives a true bound, so soundness does not depend on the search.
// The work is limited by a number of visits; where the limits are reached, the cuts that were found by then are
// returned.
std::vector<Cut> graph_cuts(const Fabric& fabric, const Collective& collective, const Limits& limits);

}  // namespace quadrille::bounds
