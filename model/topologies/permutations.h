// Permutations of a fabric's nodes, from which symmetries are made.
#pragma once

#include <cstdint>
#include <vector>

#include "model/topology.h"

namespace quadrille::topologies {

using NodePermutation = std::vector<std::uint32_t>;  // images by node

// Maps processor p to image(p), and every switch to itself.
template <class Image>
NodePermutation on_processors(const Fabric& fabric, Image image) {
  NodePermutation permutation(fabric.nodes());
  for (std::uint32_t v = 0; v < fabric.nodes(); ++v) permutation[v] = v < fabric.processors() ? image(v) : v;
  return permutation;
}

// Adds one, without carry, to the digit of weight `weight` in a number system in which it has `values` values.
NodePermutation next_digit(const Fabric& fabric, std::uint32_t weight, std::uint32_t values);

// The permutation applied twice.
NodePermutation twice(const NodePermutation& permutation);

// Extends a permutation of a tree's processors to its switches.
NodePermutation with_switches(const Fabric& fabric, const CompleteTree& tree, NodePermutation permutation);

// For fabrics whose processors can be exchanged freely: k -> k + x modulo n, and k xor x.
std::vector<Symmetry> exchanges(const Fabric& fabric);

}  // namespace quadrille::topologies
