// The least steps of a prefix on an ideal fat tree whose processors keep all that they get.
#pragma once

#include <cstdint>
#include <string>

#include "tests/reference/ideal_counts.h"

namespace quadrille::reference {

struct PrefixOptimum {
  std::uint64_t steps = 0;
  std::string schedule;  // one that takes so many, in the language
};

// For at most 8 leaves.
PrefixOptimum prefix_optimum(const Capacities& capacities);

}  // namespace quadrille::reference
