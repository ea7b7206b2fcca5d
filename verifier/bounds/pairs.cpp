// Idea: colour refinement of pairs of nodes (the two-dimensional algorithm of Weisfeiler and Leman). Two pairs (u, v)
// stay in one class as long as they see the same classes of (u, w) and (w, v) equally often, over all third nodes w.
// Automorphisms keep the classes, so a linear program may be averaged over them.
//
//   a ring of 6: the classes are the distances 0, 1, 2, 3 (clockwise and back are alike)
//
// Cost: nodes^3 a round, and at most as many rounds as there are classes in the end. (B. Weisfeiler, A. Leman, 1968.)
#include <unordered_map>

#include "verifier/bounds/flow.h"

namespace quadrille::bounds {
namespace {

// Spreads the bits of a number over the whole result (the last steps of MurmurHash3).
std::uint64_t spread(std::uint64_t x) {
  x ^= x >> 33U;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33U;
  x *= 0xc4ceb9fe1a85ec53ULL;
  return x ^ (x >> 33U);
}

}  // namespace

PairClasses::PairClasses(std::uint32_t nodes, const std::vector<std::uint64_t>& colours, const Limits& limits)
    : nodes_(nodes) {
  number(colours);
  while (refine(limits)) {
  }
}

// The sum of their hashes identifies the multiset of the triangles over a pair. If two hashes were ever equal by
// chance, classes would be too coarse, and bounds weaker. None would be wrong, since prices are checked.
bool PairClasses::refine(const Limits& limits) {
  std::vector<std::uint64_t> colours(classes_.size());
  std::vector<std::uint64_t> hashes(count_);
  for (std::uint32_t i = 0; i < count_; ++i) hashes[i] = spread(i + 1);
  for (std::size_t u = 0; u < nodes_; ++u) {
    if (limits.reached() != Reason::none) return false;
    for (std::size_t w = 0; w < nodes_; ++w) {
      const std::uint64_t first = 3 * hashes[classes_[u * nodes_ + w]];
      for (std::size_t v = 0; v < nodes_; ++v) {
        colours[u * nodes_ + v] += spread(first + hashes[classes_[w * nodes_ + v]]);
      }
    }
  }
  for (std::size_t i = 0; i < colours.size(); ++i) colours[i] = spread(colours[i] + hashes[classes_[i]]);
  const std::uint32_t before = count_;
  number(colours);
  return count_ > before;
}

void PairClasses::number(const std::vector<std::uint64_t>& colours) {
  std::unordered_map<std::uint64_t, std::uint32_t> numbers;
  classes_.resize(colours.size());
  for (std::size_t i = 0; i < colours.size(); ++i) {
    classes_[i] = numbers.try_emplace(colours[i], static_cast<std::uint32_t>(numbers.size())).first->second;
  }
  count_ = static_cast<std::uint32_t>(numbers.size());
}

}  // namespace quadrille::bounds
