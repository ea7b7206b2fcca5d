// Contribution sets as sorted intervals: the sets that collectives build are mostly one interval each.
//
//   united({0-1, 6}, {2-3}) is {0-3, 6}: neighbours become one interval, so that equal sets have equal lists
//
// Cost: linear in the numbers of intervals.
#include "verifier/checker/contributions.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace quadrille::checker {
namespace {

// The lowest contribution in both, by one walk along the two lists.
std::optional<std::uint32_t> common(const Intervals& a, const Intervals& b) {
  auto left = a.begin();
  auto right = b.begin();
  while (left != a.end() && right != b.end()) {
    if (left->last < right->first) {
      ++left;
    } else if (right->last < left->first) {
      ++right;
    } else {
      return std::max(left->first, right->first);
    }
  }
  return std::nullopt;
}

}  // namespace

bool disjoint(const Intervals& a, const Intervals& b) { return !common(a, b); }

std::uint32_t first_common(const Intervals& a, const Intervals& b) { return *common(a, b); }

std::optional<std::uint32_t> first_missing(const Intervals& set, Interval interval) {
  std::uint32_t next = interval.first;
  for (const Interval& it : set) {
    if (it.first <= next && next <= it.last) next = it.last + 1;
  }
  return next <= interval.last ? std::optional(next) : std::nullopt;
}

bool contains(const Intervals& whole, const Intervals& part) {
  auto cover = whole.begin();
  for (const Interval& interval : part) {
    while (cover != whole.end() && cover->last < interval.first) ++cover;
    if (cover == whole.end() || cover->first > interval.first || cover->last < interval.last) return false;
  }
  return true;
}

Intervals united(const Intervals& a, const Intervals& b) {
  Intervals merged;
  const auto before = [](const Interval& x, const Interval& y) { return x.first < y.first; };
  merged.resize(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), merged.begin(), before);
  std::size_t kept = 0;
  for (std::size_t next = 1; next < merged.size(); ++next) {
    if (merged[next].first <= merged[kept].last || merged[next].first == merged[kept].last + 1) {
      merged[kept].last = std::max(merged[kept].last, merged[next].last);
    } else {
      merged[++kept] = merged[next];
    }
  }
  merged.resize(std::min(kept + 1, merged.size()));
  merged.shrink_to_fit();
  return merged;
}

std::string text_of(const Intervals& set) {
  constexpr std::size_t most = 8;
  if (set.empty()) return "nothing";
  std::string text;
  for (std::size_t index = 0; index < set.size(); ++index) {
    if (index == most) return text + ", …";
    const Interval& it = set[index];
    text += index == 0 ? "" : ", ";
    text += it.first == it.last ? fmt::format("{}", it.first) : fmt::format("{}-{}", it.first, it.last);
  }
  return text;
}

}  // namespace quadrille::checker
