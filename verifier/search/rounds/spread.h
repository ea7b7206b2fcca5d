// spread sends from one processor to all in rounds, message by message, as far as there is room; with the messages
// turned round, it gathers from all.
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
  NodeId known;              // at an end of it: a processor that was reached before
  std::vector<NodeId> news;  // at the other: those that it reaches; several where it branches
  std::vector<std::pair<ChannelId, LaneId>> ways;
};

// The processor that is reached next: the nearest to the sender, or the farthest from all that have been reached.
// Direction::to: everything the other way round, towards the root; the first round then is the last. `branches`:
// whether messages branch, or join, at switches. Nothing where somebody is not reached. Throws Ended when the watch
// has reached its limits.
std::optional<std::vector<SpreadMessage>> spread(const Fabric& fabric, NodeId root, Direction direction, bool branches,
                                                 Next next, Watch& watch);

}  // namespace quadrille::searching
