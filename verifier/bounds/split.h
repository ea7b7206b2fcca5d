// Splits of a fabric's nodes into two sides, which change node by node. The search for cuts that take many steps
// (splits.cpp) works on them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/limits/limits.h"

namespace quadrille::bounds {

// The number of units that must leave the processors inside (for the others), and that must enter them.
struct CutDemand {
  std::uint64_t out = 0;
  std::uint64_t in = 0;
};

// The demand of a collective across a cut. `inside`: by processor.
CutDemand crossing(const Collective& collective, const std::vector<bool>& inside);

// The work that may still be done. It is a number of visits of nodes and links, not a time, so the result is always
// the same.
class Effort {
 public:
  Effort(std::uint64_t visits, const Limits& limits) : left_(visits), limits_(&limits) {}

  // Takes so many visits. Returns false, and leaves none, if there are too few, or if the limits are reached.
  bool spend(std::uint64_t visits) {
    if (visits > left_ || limits_->reached() != Reason::none) left_ = 0;
    if (left_ == 0) return false;
    left_ -= visits;
    return true;
  }

 private:
  std::uint64_t left_;
  const Limits* limits_;
};

// A neighbour of a node, and the capacity to it and from it in a step: that of the channels; in half duplex, that of
// the link, which both directions share, wherever there is a channel.
struct Neighbour {
  std::uint32_t node = 0;
  std::uint64_t to = 0;
  std::uint64_t from = 0;
  std::uint64_t both = 0;  // in half duplex
};

// A fabric in the form that cuts need.
class CutGraph {
 public:
  explicit CutGraph(const Fabric& fabric);

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(starts_.size() - 1); }
  std::uint32_t processors() const { return processors_; }
  bool symmetric() const;  // whether every link has the same capacity both ways
  std::uint64_t ends() const { return neighbours_.size(); }
  std::span<const Neighbour> around(std::uint32_t node) const {
    return std::span(neighbours_).subspan(starts_[node], starts_[node + 1] - starts_[node]);
  }
  // The number of links between the node and each other node, in whichever direction they go; `unreachable` where no
  // links lead there.
  std::vector<std::uint32_t> hops_from(std::uint32_t node) const;

 private:
  std::uint32_t processors_;
  std::vector<std::size_t> starts_;  // by node, in neighbours_
  std::vector<Neighbour> neighbours_;
};

// The properties of a split's sides that determine how much must cross.
struct Sides {
  std::uint32_t size = 0;    // processors inside
  bool root_inside = false;  // the collective's root
  std::uint64_t mask = 0;    // which processors are inside, if there are at most 64; else 0
};

// The demand across a split. It is exact except for listed collectives and prefixes with more than 64 processors, or
// with many chunks. For those it is the demand if demands were spread evenly, or if both sides wanted something.
class ExpectedCrossings {
 public:
  explicit ExpectedCrossings(const Collective& collective);
  std::uint32_t root() const { return root_; }
  std::uint64_t cost() const { return 1 + chunks_.size(); }  // of one call of of(), in visits
  CutDemand of(const Sides& sides) const;

 private:
  struct Chunks {
    std::uint64_t held = 0;  // by which processors
    std::uint64_t wanted = 0;
    std::uint64_t number = 0;
  };
  void find_chunks(const Collective& collective);

  std::uint32_t root_ = 0;
  std::uint64_t prefix_parts_ = 0;  // of a prefix with exact answers
  std::vector<CutDemand> with_;     // with the root inside, by size
  std::vector<CutDemand> without_;
  std::vector<Chunks> chunks_;
};

class Split {
 public:
  // A split with every node outside. Keeps references.
  Split(const CutGraph& graph, const ExpectedCrossings& crossings)
      : graph_(&graph), crossings_(&crossings), inside_(graph.nodes()) {}

  const std::vector<bool>& inside() const { return inside_; }
  void flip(std::uint32_t node) {
    now_ = after(node);
    inside_[node] = !inside_[node];
  }
  void set(const std::vector<bool>& inside);
  // Moves each switch to the side where most of its links lead, until none gains by it, or a few times.
  void settle_switches();

  // The steps that the crossing units take, not rounded up; 0 where no channel leads across.
  double steps() const { return steps_of(now_); }
  double steps_if_flipped(std::uint32_t node) const { return steps_of(after(node)); }
  bool on_the_border(std::uint32_t node) const;

 private:
  struct State {
    std::uint64_t out = 0;  // capacity
    std::uint64_t in = 0;
    std::uint64_t both = 0;
    Sides sides;
  };

  State after(std::uint32_t node) const;
  double steps_of(const State& state) const;

  const CutGraph* graph_;
  const ExpectedCrossings* crossings_;
  std::vector<bool> inside_;
  State now_;
};

// Keeps those of the offered splits that take the most steps.
class BestSplits {
 public:
  struct Known {
    double steps = 0;
    std::vector<bool> inside;  // by node
  };
  void offer(const Split& split);
  const std::vector<Known>& all() const { return known_; }  // the best first

 private:
  std::vector<Known> known_;
};

}  // namespace quadrille::bounds
