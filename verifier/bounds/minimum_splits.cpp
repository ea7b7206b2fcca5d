// Minimum cuts between processors. If links have the same capacity both ways, n - 1 cuts show the minimum cut of any
// two: the tree of Gomory and Hu. It is computed by Gusfield's method: i is cut from its parent, and processors on
// its side that have the same parent become its children. Otherwise each processor is cut from the root, both ways.
//
//   a path 0-1-2 of capacities 3 and 1: 1 is cut from 0 by 3; 2 from 0 by 1, at the link 1-2
//
// (R. Gomory, T. Hu, Multi-Terminal Network Flows, 1961; D. Gusfield, Very Simple Methods for All Pairs Network Flow
// Analysis, SIAM J. Comput. 19, 1990.)
// Cost: one or two maximum flows for each processor.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/topologies/flow_network.h"
#include "verifier/bounds/splits.h"

namespace quadrille::bounds {
namespace {

constexpr std::uint64_t visits_each = 8;  // visits to an end of a link, or to a node, in one flow, about

FlowNetwork network_of(const CutGraph& graph) {
  FlowNetwork network(graph.nodes());
  for (std::uint32_t u = 0; u < graph.nodes(); ++u) {
    for (const Neighbour& it : graph.around(u)) {
      if (u < it.node) network.link(u, it.node, static_cast<std::int64_t>(it.to), static_cast<std::int64_t>(it.from));
    }
  }
  return network;
}

}  // namespace

void minimum_splits(const CutGraph& graph, const ExpectedCrossings& crossings, Effort effort, BestSplits& best) {
  FlowNetwork network = network_of(graph);
  Split split(graph, crossings);
  const auto offer = [&](const std::vector<bool>& inside) {
    split.set(inside);
    best.offer(split);
  };
  const bool both_ways = graph.symmetric();
  const std::uint32_t root = both_ways ? 0 : crossings.root();
  // Of a graph that hangs together the ends are more; of one that does not each flow still looks at every node.
  const std::uint64_t visits = visits_each * std::max<std::uint64_t>(graph.ends(), graph.nodes());
  std::vector<std::uint32_t> parents(graph.processors(), root);
  for (std::uint32_t i = 0; i < graph.processors(); ++i) {
    if (i == root) continue;
    if (!effort.spend(visits * (both_ways ? 1 : 2))) return;
    const std::vector<bool> inside = network.source_side(i, parents[i]);
    offer(inside);
    if (!both_ways) {
      offer(network.source_side(root, i));
      continue;
    }
    for (std::uint32_t j = i + 1; j < graph.processors(); ++j) {
      if (inside[j] && parents[j] == parents[i]) parents[j] = i;
    }
  }
}

}  // namespace quadrille::bounds
