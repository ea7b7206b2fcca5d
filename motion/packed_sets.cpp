// For example, of eight ranks {2-5} is the pair (2, 5), {0, 1, 6, 7} is the pair (6, 1), and {0, 2} is in a list of
// others. Rings and recursive doubling have cyclic intervals only. Cost: the intervals of the set.
#include "motion/packed_sets.h"

#include <algorithm>

namespace quadrille {
namespace {

// An upper estimate of the heap's blocks for a set's intervals.
std::uint64_t bytes_of(const ContributionSet& set) { return 80 + set.intervals() * sizeof(ContributionSet::Interval); }

}  // namespace

ContributionSet PackedSets::at(std::uint64_t place) const {
  const CyclicInterval packed = packed_[place];
  if (packed.first == none) return {};
  if (packed.first == other) return others_[packed.last];
  if (packed.first <= packed.last) return ContributionSet(packed.first, packed.last);
  return ContributionSet(0, packed.last).united(ContributionSet(packed.first, ranks_ - 1));
}

void PackedSets::put(std::uint64_t place, const ContributionSet& set) {
  CyclicInterval& packed = packed_[place];
  drop(packed);
  const auto intervals = set.all();
  const bool cyclic = intervals.size() == 2 && set.smallest() == 0 && set.largest() == ranks_ - 1;
  if (intervals.size() == 1) {
    packed = {set.smallest(), set.largest()};
  } else if (cyclic) {
    packed = {intervals[1].first, intervals[0].last};
  } else {
    packed = {other, add_other(set)};
  }
}

void PackedSets::drop(CyclicInterval& packed) {
  if (packed.first != other) return;
  bytes_ -= bytes_of(others_[packed.last]);
  others_[packed.last] = {};
  free_.push_back(packed.last);
  packed = {};
}

std::uint32_t PackedSets::add_other(const ContributionSet& set) {
  const std::uint64_t bytes = bytes_of(set);
  if (bytes_ + bytes > most_bytes_) {
    work_.take(bytes_ + bytes - most_bytes_, 1);
    most_bytes_ = bytes_ + bytes;
  }
  bytes_ += bytes;
  if (free_.empty()) {
    others_.push_back(set);
    return static_cast<std::uint32_t>(others_.size() - 1);
  }
  const std::uint32_t number = free_.back();
  free_.pop_back();
  others_[number] = set;
  return number;
}

}  // namespace quadrille
