// Positions of a fabric's nodes in drawings. The layout is made once, here; pages and figures only paint it.
//
// Units are those of the picture: neighbours are about 1 apart. x grows to the right, y downwards. All coordinates
// are at least 0 and rounded to a hundredth, so the same fabric gives the same bytes everywhere.
#pragma once

#include <vector>

#include "model/fabric.h"
#include "model/limits/limits.h"
#include "model/topology.h"

namespace quadrille {

// The positions by node. The first of these that applies: the topology's own positions (Topology::positions); with
// switches, processors in a row and each switch above those that it serves; for up to 200 nodes, springs between
// neighbours (T. Kamada, S. Kawai: An algorithm for drawing general undirected graphs, 1989); otherwise rows by
// distance from node 0. No two nodes have the same position. Cost: linear in nodes and channels, except for springs,
// which are cubic and stop at the limits.
std::vector<NodePosition> positions(const Fabric& fabric, const Limits& limits = {});

namespace layout {

// Pieces of layouts, for topologies that know theirs.

// `count` nodes around a circle, the first at the top, then clockwise.
std::vector<NodePosition> circle(std::uint32_t count);

// Points of a grid by number; the last coordinate varies fastest. Two dimensions are rows and columns. More
// dimensions are panels of these, beside and below one another in turn.
std::vector<NodePosition> grid(const std::vector<std::uint32_t>& extents);

// 2^dimensions nodes; each three bits of the number are a cube, drawn in oblique projection.
std::vector<NodePosition> cube(std::uint32_t dimensions);

// A copy of `small` at each position of `large`: node (a, b) has the number a·|small| + b.
std::vector<NodePosition> product(const std::vector<NodePosition>& large, const std::vector<NodePosition>& small);

// Processors in a row, by number; switches in rows above, each over the middle of the nodes that it serves.
std::vector<NodePosition> layered(const Fabric& fabric);

// Springs between all pairs, as long as their distance. Nothing if the limits are reached, or if it does not settle.
std::vector<NodePosition> springs(const Fabric& fabric, const Limits& limits);

// Rows by distance from node 0; nodes without a path come last.
std::vector<NodePosition> by_distance(const Fabric& fabric);

}  // namespace layout
}  // namespace quadrille
