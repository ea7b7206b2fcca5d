// Routes of graphs that are trees, where there is only one path.
#pragma once

#include <memory>

#include "model/fabric.h"
#include "model/topology.h"

namespace quadrille::topologies {

// The routes; null if the fabric is no tree. In a tree, links go both ways, there is one link less than nodes, and
// the links connect all nodes. Any node may be a leaf or not. Cost: linear; a route takes its hops, and no more
// memory than the tree does.
std::shared_ptr<const Routes> routes_in_tree(const Fabric& fabric);

}  // namespace quadrille::topologies
