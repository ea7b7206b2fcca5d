// Where two orders of addition of the same contributions part, and how they read.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/limits/limits.h"
#include "verifier/checker/additions.h"

namespace quadrille::checker {

// Both outlive it.
class PartedOrders {
 public:
  PartedOrders(const Additions& additions, const Limits& limits) : additions_(additions), limits_(limits) {}

  // The sums below two different trees of the same contributions in which they part: of the same contributions again,
  // but of other summands. Throws Ended.
  std::pair<std::uint32_t, std::uint32_t> part(std::uint32_t one, std::uint32_t other);
  // Whether text() leaves out nothing.
  bool short_enough(std::uint32_t tree) { return contributions(tree).size() <= most_terms; }
  // "(0 + 2) + 1", the summand with the lower contribution first; "{0-7} + {8-15}" where there are too many.
  std::string text(std::uint32_t tree);

 private:
  static constexpr std::size_t most_terms = 16;

  std::vector<std::uint32_t> contributions(std::uint32_t tree);
  std::pair<std::uint32_t, std::uint32_t> summands(const Addition& sum);
  std::string text(std::uint32_t tree, const std::vector<std::uint32_t>& written_out, bool outermost);

  const Additions& additions_;
  const Limits& limits_;
  std::uint64_t seen_ = 0;
};

}  // namespace quadrille::checker
