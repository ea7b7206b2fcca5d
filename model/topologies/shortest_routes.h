#pragma once

#include "model/topology.h"

namespace quadrille::topologies {

// Of any fabric: a shortest route; among shortest ones, at every node the next node with the lowest number. Processors
// may relay.
std::shared_ptr<const Routes> shortest_routes(const Fabric& fabric);

}  // namespace quadrille::topologies
