// Finds generators of a fabric's automorphism group.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/fabric.h"
#include "verifier/search/problem/symmetry.h"

namespace quadrille::searching {

// Generators of the group of all automorphisms of the fabric. An automorphism is a permutation of the nodes that
// keeps channels, capacities (half duplex: also what links carry), the distinction between processors and switches,
// and `colours`, a number for each processor. Empty if the identity is the only one, or if the fabric is too large
// (more than 2^16 nodes and channels). If finding all generators would take long, the result holds those that were
// found until then; they generate a subgroup. The same fabric gives the same generators.
// Throws Ended when the watch, if there is one, has reached its limits.
std::vector<Permutation> automorphism_generators(const Fabric& fabric, std::span<const std::uint32_t> colours,
                                                 Watch* watch = nullptr);

}  // namespace quadrille::searching
