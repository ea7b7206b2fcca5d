// Minimum cuts between processors. If links have the same capacity both ways, n - 1 cuts show the minimum cut of any
// two: the tree of Gomory and Hu. It is computed by Gusfield's method: i is cut from its parent, and processors on
// its side that have the same parent become its children. Otherwise each processor is cut from the root, both ways.
//
//   a path 0-1-2 of capacities 3 and 1: 1 is cut from 0 by 3; 2 from 0 by 1, at the link 1-2
//
// (R. Gomory, T. Hu, Multi-Terminal Network Flows, 1961; D. Gusfield, Very Simple Methods for All Pairs Network Flow
// Analysis, SIAM J. Comput. 19, 1990; flows by Y. Boykov, V. Kolmogorov's method, of Boost.Graph.)
// Cost: one or two maximum flows for each processor.
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <cstdint>
#include <vector>

#include "verifier/bounds/splits.h"

namespace quadrille::bounds {
namespace {

constexpr std::uint64_t visits_each = 8;  // visits to an end of a link in one flow, about

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using FlowGraph = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS,
    boost::property<boost::vertex_color_t, boost::default_color_type,
                    boost::property<boost::vertex_distance_t, long,
                                    boost::property<boost::vertex_predecessor_t, Traits::edge_descriptor>>>,
    boost::property<boost::edge_capacity_t, std::int64_t,
                    boost::property<boost::edge_residual_capacity_t, std::int64_t,
                                    boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;

class MinimumCuts {
 public:
  explicit MinimumCuts(const CutGraph& graph) : flow_(graph.nodes()) {
    for (std::uint32_t u = 0; u < graph.nodes(); ++u) {
      for (const Neighbour& it : graph.around(u)) {
        if (u < it.node) add(u, it);
      }
    }
  }

  // The nodes that the source can still reach in a maximum flow, which are one side of a minimum cut.
  std::vector<bool> around(std::uint32_t source, std::uint32_t target) {
    boost::boykov_kolmogorov_max_flow(flow_, source, target);
    std::vector<bool> inside(boost::num_vertices(flow_));
    const auto colors = boost::get(boost::vertex_color, flow_);
    for (std::size_t v = 0; v < inside.size(); ++v) inside[v] = colors[v] == boost::black_color;
    return inside;
  }

 private:
  void add(std::uint32_t u, const Neighbour& it) {
    const auto there = boost::add_edge(u, it.node, flow_).first;
    const auto back = boost::add_edge(it.node, u, flow_).first;
    boost::put(boost::edge_capacity, flow_, there, static_cast<std::int64_t>(it.to));
    boost::put(boost::edge_capacity, flow_, back, static_cast<std::int64_t>(it.from));
    boost::put(boost::edge_reverse, flow_, there, back);
    boost::put(boost::edge_reverse, flow_, back, there);
  }

  FlowGraph flow_;
};

}  // namespace

void minimum_splits(const CutGraph& graph, const ExpectedCrossings& crossings, Effort effort, BestSplits& best) {
  MinimumCuts cuts(graph);
  Split split(graph, crossings);
  const auto offer = [&](const std::vector<bool>& inside) {
    split.set(inside);
    best.offer(split);
  };
  const bool both_ways = graph.symmetric();
  const std::uint32_t root = both_ways ? 0 : crossings.root();
  std::vector<std::uint32_t> parents(graph.processors(), root);
  for (std::uint32_t i = 0; i < graph.processors(); ++i) {
    if (i == root) continue;
    if (!effort.spend(visits_each * graph.ends() * (both_ways ? 1 : 2))) return;
    const std::vector<bool> inside = cuts.around(i, parents[i]);
    offer(inside);
    if (!both_ways) {
      offer(cuts.around(root, i));
      continue;
    }
    for (std::uint32_t j = i + 1; j < graph.processors(); ++j) {
      if (inside[j] && parents[j] == parents[i]) parents[j] = i;
    }
  }
}

}  // namespace quadrille::bounds
