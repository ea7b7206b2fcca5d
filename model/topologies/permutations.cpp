// Permutations of which symmetries are made: digit shifts, and what a tree's switches do with its leaves.
//
// For example, of 4 processors next_digit(1, 4) maps 0 1 2 3 to 1 2 3 0, and next_digit(2, 2) to 2 3 0 1, which is k
// xor 2. In a tree a switch goes where the first leaf below it goes, for a symmetry moves whole subtrees. Cost: nodes.
#include "model/topologies/permutations.h"

#include <bit>

namespace quadrille::topologies {

NodePermutation next_digit(const Fabric& fabric, std::uint32_t weight, std::uint32_t values) {
  return on_processors(fabric, [&](std::uint32_t p) {
    const std::uint32_t digit = p / weight % values;
    return p - digit * weight + (digit + 1) % values * weight;
  });
}

NodePermutation twice(const NodePermutation& permutation) {
  NodePermutation result(permutation.size());
  for (std::size_t v = 0; v < result.size(); ++v) result[v] = permutation[permutation[v]];
  return result;
}

NodePermutation with_switches(const Fabric& fabric, const CompleteTree& tree, NodePermutation permutation) {
  std::uint32_t size = 1;
  for (std::uint32_t level = 1; level <= tree.levels(); ++level) {
    size *= tree.arity;
    for (std::uint32_t j = 0; j < fabric.processors() / size; ++j) {
      permutation[fabric.switch_at(level, j)->value] = fabric.switch_at(level, permutation[j * size] / size)->value;
    }
  }
  return permutation;
}

std::vector<Symmetry> exchanges(const Fabric& fabric) {
  const std::uint32_t n = fabric.processors();
  const NodePermutation next = next_digit(fabric, 1, n);
  std::vector<Symmetry> all{{"k -> k + x modulo n", {next}}, {"k -> k + 2x modulo n", {twice(next)}}};
  if (std::has_single_bit(n)) {
    Symmetry bits{"k -> k xor x", {}};
    for (std::uint32_t bit = 1; bit < n; bit *= 2) bits.generators.push_back(next_digit(fabric, bit, 2));
    all.push_back(std::move(bits));
  }
  return all;
}

}  // namespace quadrille::topologies
