// Improves splits node by node. A pass moves one node after another across, each once. It chooses the node at the
// border whose move leaves the most steps, even where that is fewer than before. Of all splits on the way, the best
// stays. So a pass finds swaps of two nodes of which each move alone would be a loss. (B. Kernighan, S. Lin, An
// Efficient Heuristic Procedure for Partitioning Graphs, 1970; C. Fiduccia, R. Mattheyses, A Linear-Time Heuristic
// for Improving Network Partitions, 1982.)
//
//   the ring 0 … 7 with {0, 1, 3} inside, total exchange: 3·5 packets over 4 channels; 2 comes inside: 4·4 over 2
//
// Cost of a pass: for each move, the links at each node.
#include <algorithm>

#include "verifier/bounds/splits.h"

namespace quadrille::bounds {
namespace {

constexpr std::size_t most_improved = 8;
constexpr std::size_t most_moves = 64;  // of a pass, without a gain
constexpr int most_passes = 16;

// The node, not moved yet, whose move leaves the most steps; `nodes` if there is none.
std::uint32_t best_move(const CutGraph& graph, const Split& split, const std::vector<bool>& moved) {
  std::uint32_t best = graph.nodes();
  double most = 0;
  for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
    if (moved[v] || !split.on_the_border(v)) continue;
    const double steps = split.steps_if_flipped(v);
    if (steps <= most) continue;
    most = steps;
    best = v;
  }
  return best;
}

// Makes one pass; returns whether the split is better now.
bool pass(const CutGraph& graph, Split& split, std::uint64_t visits, Effort& effort) {
  std::vector<bool> moved(graph.nodes());
  std::vector<std::uint32_t> moves;
  std::size_t kept = 0;
  double most = split.steps();
  while (moves.size() < kept + most_moves && effort.spend(visits)) {
    const std::uint32_t node = best_move(graph, split, moved);
    if (node == graph.nodes()) break;
    split.flip(node);
    moved[node] = true;
    moves.push_back(node);
    if (split.steps() <= most) continue;
    most = split.steps();
    kept = moves.size();
  }
  for (std::size_t i = moves.size(); i-- > kept;) split.flip(moves[i]);
  return kept > 0;
}

}  // namespace

void improve(const CutGraph& graph, const ExpectedCrossings& crossings, Effort effort, BestSplits& best) {
  std::vector<BestSplits::Known> known = best.all();
  known.resize(std::min(known.size(), most_improved));
  const std::uint64_t visits = graph.ends() + graph.nodes() * crossings.cost();  // of one move
  Split split(graph, crossings);
  for (const BestSplits::Known& it : known) {
    split.set(it.inside);
    for (int turn = 0; turn < most_passes && pass(graph, split, visits, effort); ++turn) {
    }
    best.offer(split);
  }
}

}  // namespace quadrille::bounds
