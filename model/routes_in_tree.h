// Routes of graphs that are trees, where there is one way only.
#pragma once

#include <memory>

#include "model/fabric.h"
#include "model/topology.h"

namespace quadrille::topologies {

// Null if the fabric is no tree: links go both ways, and there is one less of them than nodes, all of which they join.
// Any node may be a leaf or not. Cost: linear; a route takes its hops, and no more memory than the tree does.
std::shared_ptr<const Routes> routes_in_tree(const Fabric& fabric);

}  // namespace quadrille::topologies
