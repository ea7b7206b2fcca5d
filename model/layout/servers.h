// The servers of a machine: groups of as many processors, numbered one after another, that are nearer to each other
// than to others.
#pragma once

#include <cstdint>
#include <vector>

#include "model/fabric.h"

namespace quadrille {

// All divisors of n but 1 and n, in order.
std::vector<std::uint32_t> proper_divisors(std::uint32_t n);

// How many processors a server may have, from the smallest: all from the first on that are so near to it. None where no
// processors are nearer than others. For example 8 of dgx_h100_rails, where 4 are no farther apart than 8, and 16 than
// all.
std::vector<std::uint32_t> server_sizes(const Fabric& fabric);

// How many processors a node has, which reach each other's memory. Where links say their latencies, and these differ:
// all that the fastest links join, if all nodes are alike. Else those of the smallest server, where there are switches.
// Else all: what links processors alone is one machine.
std::uint32_t processors_of_a_node(const Fabric& fabric);

}  // namespace quadrille
