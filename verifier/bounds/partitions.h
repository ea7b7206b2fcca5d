// Partitions of a fabric's processors into groups that few channels enter: servers, racks, leaves, single processors.
#pragma once

#include <cstdint>
#include <vector>

#include "verifier/bounds/parts.h"
#include "verifier/bounds/split.h"

namespace quadrille::bounds {

// Every processor is in one group; the groups are numbered in the order of their first processors.
struct Partition {
  std::vector<std::uint32_t> group_of;  // by processor
  std::uint32_t groups = 0;
};

// Different partitions into two groups or more: single processors first, then those that links, switches and the sides
// of the cuts make. Fewer if the effort ends.
std::vector<Partition> partitions(const Fabric& fabric, const CutGraph& graph, const std::vector<const Cuts*>& cuts,
                                  Effort& effort);

}  // namespace quadrille::bounds
