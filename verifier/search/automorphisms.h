// The automorphisms of a small graph.
#pragma once

#include <cstddef>
#include <vector>

#include "model/fabric.h"
#include "verifier/search/symmetry.h"

namespace quadrille::searching {

// All automorphisms of the fabric: permutations of its nodes that keep channels and capacities, and processors apart
// from switches. None if there are more than `most`, or more than 64 nodes, or it takes long to know.
std::vector<Permutation> automorphisms_of(const Fabric& fabric, std::size_t most);

}  // namespace quadrille::searching
