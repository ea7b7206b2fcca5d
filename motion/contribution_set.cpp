// Contribution sets as sorted intervals that never touch: {0, 1, 2} is the interval 0-2, and united with {3} it is 0-3.
// Each operation walks both lists once, like the merge of merge sort. Cost: the number of intervals of both.
#include "motion/contribution_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace quadrille {

ContributionSet::ContributionSet(std::span<const std::uint32_t> sorted) {
  Intervals intervals;
  for (const std::uint32_t number : sorted) {
    if (!intervals.empty() && intervals.back().last + 1 == number) {
      intervals.back().last = number;
    } else {
      intervals.push_back({number, number});
    }
  }
  *this = ContributionSet(std::move(intervals));
}

std::uint64_t ContributionSet::size() const {
  std::uint64_t size = 0;
  for (const Interval& interval : all()) size += std::uint64_t{interval.last} - interval.first + 1;
  return size;
}

bool ContributionSet::operator==(const ContributionSet& other) const {
  return intervals_ == other.intervals_ || std::ranges::equal(all(), other.all());
}

bool ContributionSet::operator<(const ContributionSet& other) const {
  return std::ranges::lexicographical_compare(all(), other.all());
}

bool ContributionSet::disjoint(const ContributionSet& other) const {
  const auto ours = all();
  const auto theirs = other.all();
  auto a = ours.begin();
  auto b = theirs.begin();
  while (a != ours.end() && b != theirs.end()) {
    if (a->last < b->first) {
      ++a;
    } else if (b->last < a->first) {
      ++b;
    } else {
      return false;
    }
  }
  return true;
}

bool ContributionSet::contains(const ContributionSet& other) const {
  const auto ours = all();
  auto cover = ours.begin();
  for (const Interval& wanted : other.all()) {
    while (cover != ours.end() && cover->last < wanted.first) ++cover;
    if (cover == ours.end() || cover->first > wanted.first || cover->last < wanted.last) return false;
  }
  return true;
}

ContributionSet ContributionSet::united(const ContributionSet& other) const {
  if (empty()) return other;
  if (other.empty()) return *this;
  Intervals merged;
  merged.reserve(intervals() + other.intervals());
  std::ranges::merge(all(), other.all(), std::back_inserter(merged), {}, &Interval::first, &Interval::first);
  std::size_t last = 0;
  for (std::size_t i = 1; i < merged.size(); ++i) {
    if (merged[i].first <= merged[last].last || merged[i].first == merged[last].last + 1) {
      merged[last].last = std::max(merged[last].last, merged[i].last);
    } else {
      merged[++last] = merged[i];
    }
  }
  merged.resize(last + 1);
  return ContributionSet(std::move(merged));
}

ContributionSet ContributionSet::without(const ContributionSet& other) const {
  Intervals rest;
  const auto cuts = other.all();
  auto cut = cuts.begin();
  for (Interval left : all()) {
    while (cut != cuts.end() && cut->last < left.first) ++cut;
    bool empty = false;
    for (auto inner = cut; !empty && inner != cuts.end() && inner->first <= left.last; ++inner) {
      if (inner->first > left.first) rest.push_back({left.first, inner->first - 1});
      empty = inner->last >= left.last;
      left.first = inner->last + 1;
    }
    if (!empty) rest.push_back(left);
  }
  return ContributionSet(std::move(rest));
}

std::string ContributionSet::text() const {
  std::string text;
  for (const Interval& interval : all()) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", interval.first);
    if (interval.last > interval.first) text += fmt::format("-{}", interval.last);
  }
  return "{" + text + "}";
}

}  // namespace quadrille
