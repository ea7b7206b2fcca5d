// Permutations of a fabric's nodes, to make symmetries of.
#pragma once

#include <cstdint>
#include <vector>

#include "model/topology.h"

namespace quadrille::topologies {

using NodePermutation = std::vector<std::uint32_t>;  // images by node

// Processor p becomes image(p), every switch itself.
template <class Image>
NodePermutation on_processors(const Fabric& fabric, Image image) {
  NodePermutation permutation(fabric.nodes());
  for (std::uint32_t v = 0; v < fabric.nodes(); ++v) permutation[v] = v < fabric.processors() ? image(v) : v;
  return permutation;
}

// One more in the digit that counts `weight`, of a number system in which it has that many values; no carry.
NodePermutation next_digit(const Fabric& fabric, std::uint32_t weight, std::uint32_t values);

// The permutation done twice.
NodePermutation twice(const NodePermutation& permutation);

// The permutation of a tree's processors, and what its switches become with them.
NodePermutation with_switches(const Fabric& fabric, const CompleteTree& tree, NodePermutation permutation);

// Of fabrics whose processors can be exchanged at will: k -> k + x modulo n, and k xor x.
std::vector<Symmetry> exchanges(const Fabric& fabric);

}  // namespace quadrille::topologies
