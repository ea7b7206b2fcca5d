// A partial reduction as model/MODEL.md has it: whose contributions, and its tree of additions, written out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "model/collective.h"

namespace quadrille::reference {

struct PartialReduction {
  std::set<std::uint32_t> contributions;
  std::string tree;  // "((0+1)+2)"; the lower of two texts first, as they are in no order. Idempotent: none

  bool empty() const { return contributions.empty(); }
};

inline PartialReduction own_contribution(std::uint32_t processor) { return {{processor}, std::to_string(processor)}; }

inline bool disjoint(const PartialReduction& a, const PartialReduction& b) {
  return std::none_of(a.contributions.begin(), a.contributions.end(),
                      [&](std::uint32_t contribution) { return b.contributions.contains(contribution); });
}

inline bool contains(const PartialReduction& a, const PartialReduction& b) {
  return std::includes(a.contributions.begin(), a.contributions.end(), b.contributions.begin(), b.contributions.end());
}

inline bool has_gap(const PartialReduction& it) {
  return !it.empty() && *it.contributions.rbegin() - *it.contributions.begin() + 1 != it.contributions.size();
}

// "What is united from two is a node with these two below it, in no order."
inline PartialReduction united(const Collective& collective, const PartialReduction& a, const PartialReduction& b) {
  PartialReduction result = a;
  result.contributions.insert(b.contributions.begin(), b.contributions.end());
  result.tree = collective.idempotent() ? "" : "(" + std::min(a.tree, b.tree) + "+" + std::max(a.tree, b.tree) + ")";
  return result;
}

// "Begins with nothing": what is added to nothing is as it was.
inline void add(const Collective& collective, PartialReduction& to, const PartialReduction& more) {
  to = to.empty() ? more : united(collective, to, more);
}

// "Ordered operation: outwards from what is held": the nearest below it, while there is one below, or else the lowest.
// Other operations: one after another.
inline PartialReduction added_up(const Collective& collective, PartialReduction held,
                                 std::vector<PartialReduction> others) {
  const auto smallest = [](const PartialReduction& it) { return *it.contributions.begin(); };
  while (!others.empty()) {
    auto next = others.begin();
    for (auto it = others.begin(); it != others.end() && collective.ordered(); ++it) {
      const bool below = !held.empty() && smallest(*it) < smallest(held);
      const bool next_below = !held.empty() && smallest(*next) < smallest(held);
      if (below != next_below ? below : below ? smallest(*it) > smallest(*next) : smallest(*it) < smallest(*next))
        next = it;
    }
    add(collective, held, *next);
    others.erase(next);
  }
  return held;
}

}  // namespace quadrille::reference
