// Additions: partial reductions as they come about: contributions united, and in which order.
//
// Where results can differ by the order in which they were added up (model/MODEL.md, Agreement), each set knows the
// number of its tree: a leaf for each contribution, a node for each two that were united. Equal trees have equal
// numbers, as each pair of numbers is given one only once.
//
// Cost: a set for each two that are united; with trees, a look-up more, and some 80 bytes for each different pair. What
// is united in one step at an ordered operation is united twice: to be judged, and in the order of its additions.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "model/collective.h"
#include "model/containers/packet_table.h"
#include "verifier/checker/contributions.h"

namespace quadrille::checker {

// Where two partial reductions are united: at a node, by a row of a step.
struct AdditionPlace {
  static constexpr std::uint32_t no_step = 0xffffffff;  // at the end, when words are chained
  std::uint32_t step = no_step;
  std::uint32_t row = 0;  // by its index among the step's
  NodeId node;
};

// A node of a tree: the two below it, the lower number first, and where they were united first.
struct Addition {
  std::uint32_t first;
  std::uint32_t second;
  AdditionPlace where;
};

class Additions {
 public:
  Additions(const Collective& collective, Budget& budget);

  // A processor's own contribution.
  ContributionsRef own(std::uint32_t processor);
  // The contributions of both. Requires that they are disjoint, or the operation idempotent.
  ContributionsRef united(const SharedContributions& a, const SharedContributions& b, const AdditionPlace& where);
  // Likewise, but without a tree.
  ContributionsRef together(const SharedContributions& a, const SharedContributions& b);
  // Whether they may be united: neither counts a contribution that the other has, or that does not matter.
  bool fit(const SharedContributions& a, const SharedContributions& b) const;

  bool have_trees() const { return trees_; }
  bool ordered() const { return trees_ && ordered_; }
  // Whether the tree is a processor's own contribution; its number is the processor's.
  bool leaf(std::uint32_t tree) const { return tree < leaves_; }
  const Addition& addition(std::uint32_t tree) const { return additions_[tree - leaves_]; }  // requires that it is none

 private:
  std::uint32_t tree_of(std::uint32_t a, std::uint32_t b, const AdditionPlace& where);

  Budget& budget_;
  bool trees_;
  bool ordered_;
  bool idempotent_;
  std::uint32_t leaves_;  // the processors; trees from this number on are nodes
  Share share_;
  std::vector<Addition> additions_;            // by number
  PacketTable<PairKey, std::uint32_t> nodes_;  // by the numbers of the two below, the lower one first
};

// What is united in one step with what is held, or chained of words. Of an ordered operation it is added outwards from
// what is held (or else from the lowest): what lies below it first, so that no gap is ever open.
class Sum {
 public:
  // `held`: null for nothing.
  Sum(Additions& additions, ContributionsRef held) : additions_(additions), held_(held), now_(std::move(held)) {}

  // The contributions so far, which may not have their tree yet; null if there are none.
  const ContributionsRef& now() const { return now_; }
  // Whether the set can be added.
  bool fits(const SharedContributions& set) const { return !now_ || additions_.fit(*now_, set); }
  void add(const ContributionsRef& set, const AdditionPlace& where);  // requires that it fits
  void replace(const ContributionsRef& set);
  // All of it, with its tree; null for nothing. To be called once.
  ContributionsRef made();

 private:
  using Addend = std::pair<ContributionsRef, AdditionPlace>;

  Additions& additions_;
  ContributionsRef held_;
  ContributionsRef now_;
  std::vector<Addend> added_;  // of an ordered operation, since what is held was replaced
};

}  // namespace quadrille::checker
