// Finds cuts of fabrics whose topology knows none.
#pragma once

#include <string>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"
#include "model/topology.h"

namespace quadrille::bounds {

// Some cuts over which the collective takes many steps, the more promising first. None where the topology knows its
// own and the fabric is large. Any cut gives a true bound, so nothing depends on how they were found. The work is
// limited by a number of visits; when the limits are reached, the result holds the cuts that were found until then.
std::vector<Cut> graph_cuts(const Fabric& fabric, const Collective& collective, const Limits& limits);

// Names the processors inside: "processors 0 to 7", "32 processors (0, 2, 4, 6, …)". Requires that there are some.
std::string name_of(const std::vector<bool>& inside);

}  // namespace quadrille::bounds
