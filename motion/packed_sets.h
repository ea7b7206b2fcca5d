// PackedSets: contribution sets at numbered places, in few bytes each.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

#include "model/limits/work.h"
#include "motion/contribution_set.h"

namespace quadrille {

// A set takes 8 bytes if it is an interval of ranks, or a cyclic one, which goes on at 0 after the last rank. Other
// sets take what they are. Functions that change something throw Ended.
class PackedSets {
 public:
  // Places 0 … places-1, all empty; sets of ranks 0 … ranks-1. Keeps a reference to `work`.
  PackedSets(std::uint64_t places, std::uint32_t ranks, Work& work)
      : ranks_(ranks), work_(work), packed_(places, &work), others_(&work), free_(&work) {}

  ContributionSet at(std::uint64_t place) const;
  void put(std::uint64_t place, const ContributionSet& set);  // which is not empty

 private:
  struct CyclicInterval {  // first … last; where first > last, first … ranks-1 and 0 … last
    std::uint32_t first = none;
    std::uint32_t last = none;
  };
  static constexpr std::uint32_t none = 0xffffffff;
  static constexpr std::uint32_t other = 0xfffffffe;  // in the place of `first`; `last`: index into others_

  void drop(CyclicInterval& packed);
  std::uint32_t add_other(const ContributionSet& set);

  std::uint32_t ranks_;
  Work& work_;
  std::pmr::vector<CyclicInterval> packed_;  // by place
  std::pmr::vector<ContributionSet> others_;
  std::pmr::vector<std::uint32_t> free_;  // of these, as indices
  std::uint64_t bytes_ = 0;               // of the intervals of others_
  std::uint64_t most_bytes_ = 0;          // so many at a time, so far; they are taken from the work
};

}  // namespace quadrille
