// Additions: partial reductions as they come about: contributions united, and in which order.
//
// Where results can differ by the order in which they were added up (model/MODEL.md, Agreement), each set knows the
// number of its tree: a leaf for each contribution, a node for each two that were united. Equal trees have equal
// numbers, as each pair of numbers is given one only once.
//
// Cost: a set for each two that are united; with trees, a look-up more, and some 40 bytes for each different pair.
#pragma once

#include <cstdint>

#include "model/collective.h"
#include "verifier/checker/contributions.h"
#include "verifier/checker/rows/pair_table.h"

namespace quadrille::checker {

class Additions {
 public:
  Additions(const Collective& collective, Budget& budget);

  // A processor's own contribution.
  ContributionsRef own(std::uint32_t processor);
  // The contributions of both. Requires that they are disjoint, or the operation idempotent.
  ContributionsRef united(const SharedContributions& a, const SharedContributions& b);
  // Whether they may be united: neither counts a contribution that the other has, or that does not matter.
  bool fit(const SharedContributions& a, const SharedContributions& b) const;

  bool have_trees() const { return trees_; }

 private:
  std::uint32_t tree_of(std::uint32_t a, std::uint32_t b);

  Budget& budget_;
  bool trees_;
  bool idempotent_;
  std::uint32_t next_;              // the number of the next new tree; below the processors': leaves
  PairTable<std::uint32_t> nodes_;  // by the numbers of the two below, the lower one first
};

}  // namespace quadrille::checker
