#pragma once

#include "model/topology.h"

namespace quadrille::topologies {

// Shortest routes on any fabric. If there are several, consider at every node the k channels with which some shortest
// route to t begins, by increasing head: the route takes number t mod k; for a packet with several targets, number 0.
// Processors may relay. `many`: of so many nodes or more, if most are leaves, routes are worked out anew each time, in
// far less memory.
std::shared_ptr<const Routes> shortest_routes(const Fabric& fabric, std::uint32_t many = 1U << 14U);

// Routes where every node has a channel to every other: that channel. They take no memory.
std::shared_ptr<const Routes> direct_routes(const Fabric& fabric);

// Routes of graphs that are trees, where there is only one path; null if the fabric is no tree. In a tree, links go
// both ways, there is one link less than nodes, and the links connect all nodes. Any node may be a leaf or not. Cost:
// linear; a route takes its hops, and no more memory than the tree does.
std::shared_ptr<const Routes> routes_in_tree(const Fabric& fabric);

}  // namespace quadrille::topologies
