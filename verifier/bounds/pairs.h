// Classes of pairs of nodes that play the same part in a fabric with wants. They are the stable colours that result
// when each pair's colour is repeatedly combined with the colours of the pairs that make triangles with it (the
// two-dimensional Weisfeiler-Leman method; its result is a coherent configuration). Pairs that an automorphism maps
// to each other have the same class; the converse need not hold.
#pragma once

#include <cstdint>
#include <vector>

#include "model/limits/limits.h"

namespace quadrille::bounds {

class PairClasses {
 public:
  // The coarsest stable classes that refine the given colours; colours[u · nodes + v] is the colour of (u, v).
  // Requires that if (u, v) and (w, x) have the same colour, so have (v, u) and (x, w), and that no (u, u) has the
  // colour of a (v, w). Cost: nodes^3 for each round; the rounds are few, at most nodes^2. If the limits are reached,
  // the classes are coarser than that.
  PairClasses(std::uint32_t nodes, const std::vector<std::uint64_t>& colours, const Limits& limits = {});

  std::uint32_t of(std::uint32_t u, std::uint32_t v) const { return classes_[u * nodes_ + v]; }
  std::uint32_t count() const { return count_; }

 private:
  bool refine(const Limits& limits);  // once; returns whether there are more classes now
  void number(const std::vector<std::uint64_t>& colours);

  std::size_t nodes_;
  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> classes_;
};

}  // namespace quadrille::bounds
