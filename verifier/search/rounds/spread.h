// Spreads from one processor to all others in rounds, message by message, as far as there is room; or, with the
// messages turned round, gathers from all.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "model/distances.h"
#include "model/fabric.h"
#include "verifier/search/heuristics/joining_trees.h"
#include "verifier/search/solver/watch.h"

namespace quadrille::searching {

struct SpreadMessage {
  std::uint32_t round = 1;
  NodeId known;              // at one end: a processor that was reached before
  std::vector<NodeId> news;  // at the other: the processors that it reaches; several where it branches
  std::vector<std::pair<ChannelId, LaneId>> ways;
};

// The messages by which `root` reaches all. The processor that is reached next is the one nearest to the sender, or
// the one farthest from all that have been reached. Direction::to: all messages run the other way, towards the root;
// then the first round is the last one. `branches`: whether messages branch, or join, at switches. Nothing if some
// processor is not reached. Throws Ended when the watch has reached its limits.
std::optional<std::vector<SpreadMessage>> spread(const Fabric& fabric, NodeId root, Direction direction, bool branches,
                                                 Next next, Watch& watch);

}  // namespace quadrille::searching
