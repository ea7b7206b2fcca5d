// The automorphisms of a fabric, by generators.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/fabric.h"
#include "verifier/search/problem/symmetry.h"

namespace quadrille::searching {

// Returns generators of the group of all automorphisms: permutations of the nodes that keep channels and capacities
// (half duplex: also the capacities of links), keep processors apart from switches, and keep `colours`, a number for
// each processor. Empty if there is only the identity, and where the fabric is too large (2^16 nodes and channels). If
// finding all would take long, returns those found until then; they generate a subgroup. The same fabric gives the
// same generators. Throws Ended when the watch, if there is one, has reached its limits.
std::vector<Permutation> automorphism_generators(const Fabric& fabric, std::span<const std::uint32_t> colours,
                                                 Watch* watch = nullptr);

}  // namespace quadrille::searching
