// Each operation walks both lists once. For example, {0-2, 5} united with {3} is {0-3, 5}.
#include "compiler/plan/held/contributions.h"

#include <fmt/format.h>

#include <algorithm>

namespace quadrille {

ContributionSet contributions(std::span<const std::uint32_t> sorted) {
  ContributionSet set;
  for (const std::uint32_t number : sorted) {
    if (!set.empty() && set.back().last + 1 == number) {
      set.back().last = number;
    } else {
      set.push_back({number, number});
    }
  }
  return set;
}

bool disjoint(const ContributionSet& a, const ContributionSet& b) {
  auto left = a.begin();
  auto right = b.begin();
  while (left != a.end() && right != b.end()) {
    if (left->last < right->first) {
      ++left;
    } else if (right->last < left->first) {
      ++right;
    } else {
      return false;
    }
  }
  return true;
}

bool contains(const ContributionSet& whole, const ContributionSet& part) {
  auto cover = whole.begin();
  for (const Contributions& run : part) {
    while (cover != whole.end() && cover->last < run.first) ++cover;
    if (cover == whole.end() || cover->first > run.first || cover->last < run.last) return false;
  }
  return true;
}

ContributionSet united(const ContributionSet& a, const ContributionSet& b) {
  ContributionSet sorted(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), sorted.begin(),
             [](const Contributions& x, const Contributions& y) { return x.first < y.first; });
  ContributionSet merged;
  for (const Contributions& run : sorted) {
    if (!merged.empty() && (run.first <= merged.back().last || run.first == merged.back().last + 1)) {
      merged.back().last = std::max(merged.back().last, run.last);
    } else {
      merged.push_back(run);
    }
  }
  return merged;
}

ContributionSet without(const ContributionSet& whole, const ContributionSet& part) {
  ContributionSet rest;
  auto cut = part.begin();
  for (Contributions run : whole) {
    while (cut != part.end() && cut->last < run.first) ++cut;
    bool empty = false;
    for (auto inner = cut; !empty && inner != part.end() && inner->first <= run.last; ++inner) {
      if (inner->first > run.first) rest.push_back({run.first, inner->first - 1});
      empty = inner->last >= run.last;
      run.first = inner->last + 1;
    }
    if (!empty) rest.push_back(run);
  }
  return rest;
}

std::uint64_t size_of(const ContributionSet& set) {
  std::uint64_t size = 0;
  for (const Contributions& run : set) size += std::uint64_t{run.last} - run.first + 1;
  return size;
}

std::string text_of(const ContributionSet& set) {
  std::string text;
  for (const Contributions& run : set) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", run.first);
    if (run.last > run.first) text += fmt::format("-{}", run.last);
  }
  return "{" + text + "}";
}

}  // namespace quadrille
