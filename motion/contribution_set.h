// ContributionSet: the processors whose contributions a partial reduction contains, in a combining collective.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace quadrille {

// Immutable; copies share their data. It is kept as intervals, since the sets of most schedules consist of a few.
class ContributionSet {
 public:
  struct Interval {
    std::uint32_t first;
    std::uint32_t last;
    auto operator<=>(const Interval&) const = default;
  };

  ContributionSet() = default;  // the empty set
  explicit ContributionSet(std::uint32_t only) : ContributionSet(only, only) {}
  ContributionSet(std::uint32_t first, std::uint32_t last) : ContributionSet(Intervals{{first, last}}) {}
  // The set of these numbers, which must be sorted and distinct.
  explicit ContributionSet(std::span<const std::uint32_t> sorted);

  bool empty() const { return !intervals_; }
  std::uint32_t smallest() const { return intervals_->front().first; }  // requires a set that is not empty; so does:
  std::uint32_t largest() const { return intervals_->back().last; }
  // Increasing, never touching; valid as long as the set.
  std::span<const Interval> all() const { return intervals_ ? std::span(*intervals_) : std::span<const Interval>(); }
  std::size_t intervals() const { return intervals_ ? intervals_->size() : 0; }
  bool has_gap() const { return intervals() > 1; }
  std::uint64_t size() const;

  bool operator==(const ContributionSet& other) const;
  bool operator<(const ContributionSet& other) const;  // in some order
  bool disjoint(const ContributionSet& other) const;
  bool contains(const ContributionSet& other) const;
  ContributionSet united(const ContributionSet& other) const;
  ContributionSet without(const ContributionSet& other) const;

  std::string text() const;  // "{0-2, 5}"

 private:
  using Intervals = std::vector<Interval>;
  explicit ContributionSet(Intervals intervals)
      : intervals_(intervals.empty() ? nullptr : std::make_shared<const Intervals>(std::move(intervals))) {}

  std::shared_ptr<const Intervals> intervals_;  // null: none
};

}  // namespace quadrille
