// SharedContributions: a set of contributions, as the sorted list of its intervals; and how such sets are joined.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "verifier/checker/rows/budget.h"

namespace quadrille::checker {

// The contributions first … last.
struct Interval {
  std::uint32_t first;
  std::uint32_t last;
  bool operator==(const Interval&) const = default;
};

// Sorted, disjoint, and never touching (1-2 and 3-4 are one interval).
using Intervals = std::vector<Interval>;

// Whether no contribution is in both; whether all of `part` are in `whole`; the first that is in both (which must
// exist).
bool disjoint(const Intervals& a, const Intervals& b);
bool contains(const Intervals& whole, const Intervals& part);
std::uint32_t first_common(const Intervals& a, const Intervals& b);

// The lowest of the interval that is not in the set; nothing if all are.
std::optional<std::uint32_t> first_missing(const Intervals& set, Interval interval);

// The contributions of both.
Intervals united(const Intervals& a, const Intervals& b);

// "0-3, 7"; "nothing" for the empty set.
std::string text_of(const Intervals& set);

// An immutable contribution set that several packets and processors share; it takes from the budget while it lives.
class SharedContributions {
 public:
  // `tree`: the number of its tree of additions (additions.h).
  SharedContributions(Intervals intervals, Budget& budget, std::uint32_t tree)
      : intervals_(std::move(intervals)), tree_(tree), share_(budget) {
    share_.add(sizeof(SharedContributions) + intervals_.capacity() * sizeof(Interval));
  }
  const Intervals& intervals() const { return intervals_; }
  std::uint32_t tree() const { return tree_; }

 private:
  Intervals intervals_;
  std::uint32_t tree_;
  Share share_;
};

// Null is the empty set.
using ContributionsRef = std::shared_ptr<const SharedContributions>;

}  // namespace quadrille::checker
