// Sets of contributions, as lists of intervals.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace quadrille {

// Contributions first … last; lists of them are sorted, disjoint and do not touch.
struct Contributions {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  auto operator<=>(const Contributions&) const = default;
};
using ContributionSet = std::vector<Contributions>;

// Of numbers that are sorted and distinct.
ContributionSet contributions(std::span<const std::uint32_t> sorted);

bool disjoint(const ContributionSet& a, const ContributionSet& b);
bool contains(const ContributionSet& whole, const ContributionSet& part);
ContributionSet united(const ContributionSet& a, const ContributionSet& b);
ContributionSet without(const ContributionSet& whole, const ContributionSet& part);

// How many contributions there are in it.
std::uint64_t size_of(const ContributionSet& set);

// "{0-2, 5}".
std::string text_of(const ContributionSet& set);

}  // namespace quadrille
