// A partial reduction as model/MODEL.md has it: whose contributions, and its tree of additions, written out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

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

}  // namespace quadrille::reference
