// Visits all splits of a small fabric, each one flip of a node away from the one before it (F. Gray's code). Node 0
// stays outside, because a split and its complement are the same cut.
//
//   of 0, 1, 2: {1}, {1, 2}, {2}
//
// Cost: for each split, the links at the node that moves; where switches are placed, also their links, some times.
#include <bit>

#include "verifier/bounds/splits.h"

namespace quadrille::bounds {
namespace {

constexpr std::uint32_t most_moving = 19;  // all but node 0
constexpr std::uint64_t most_placements = std::uint64_t{1} << 26;

bool every_node_moves(const CutGraph& graph) { return graph.nodes() <= most_moving + 1; }

std::uint64_t ends_at_switches(const CutGraph& graph) {
  std::uint64_t ends = 0;
  for (std::uint32_t v = graph.processors(); v < graph.nodes(); ++v) ends += graph.around(v).size();
  return ends;
}

}  // namespace

bool few_splits(const CutGraph& graph) {
  if (every_node_moves(graph)) return true;
  if (graph.processors() > most_moving + 1) return false;
  return ends_at_switches(graph) <= most_placements >> (graph.processors() - 1);
}

bool all_splits(const CutGraph& graph, const ExpectedCrossings& crossings, Effort effort, BestSplits& best) {
  const bool place_switches = !every_node_moves(graph);
  const std::uint32_t moving = (place_switches ? graph.processors() : graph.nodes()) - 1;
  const std::uint64_t each = crossings.cost() + graph.ends() / graph.nodes();
  Split split(graph, crossings);
  for (std::uint32_t i = 1; i < std::uint32_t{1} << moving; ++i) {
    if (i % 1024 == 0 && !effort.spend(1024 * each)) return false;
    split.flip(static_cast<std::uint32_t>(std::countr_zero(i)) + 1);
    if (place_switches) split.settle_switches();
    best.offer(split);
  }
  return !place_switches;
}

}  // namespace quadrille::bounds
