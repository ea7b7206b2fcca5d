#pragma once

#include "model/topology.h"

namespace quadrille::topologies {

// Of any fabric: a shortest route. Where there are several: at every node, of the k channels with which some shortest
// route to t begins, by increasing head, number t mod k; for a packet with several targets, number 0. Processors may
// relay.
std::shared_ptr<const Routes> shortest_routes(const Fabric& fabric);

}  // namespace quadrille::topologies
