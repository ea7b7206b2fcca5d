// Flows by Y. Boykov and V. Kolmogorov's method, of Boost.Graph, which keeps the capacities: a network may be cut
// between many pairs of nodes, one after another. For example, on a path 0-1-2 of capacities 3 and 1 the flow from 0 to
// 2 is 1, and 0 still reaches 1: the cut is the link 1-2. Cost: that of a maximum flow for each cut.
#include "model/topologies/flow_network.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>

namespace quadrille {

struct FlowNetwork::BoostGraph {
  using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
  using Adjacency = boost::adjacency_list<
      boost::vecS, boost::vecS, boost::directedS,
      boost::property<boost::vertex_color_t, boost::default_color_type,
                      boost::property<boost::vertex_distance_t, long,
                                      boost::property<boost::vertex_predecessor_t, Traits::edge_descriptor>>>,
      boost::property<boost::edge_capacity_t, std::int64_t,
                      boost::property<boost::edge_residual_capacity_t, std::int64_t,
                                      boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;
  explicit BoostGraph(std::uint32_t nodes) : of_nodes(nodes) {}
  Adjacency of_nodes;
};

FlowNetwork::FlowNetwork(std::uint32_t nodes) : graph_(std::make_unique<BoostGraph>(nodes)) {}
FlowNetwork::~FlowNetwork() = default;
FlowNetwork::FlowNetwork(FlowNetwork&&) noexcept = default;
FlowNetwork& FlowNetwork::operator=(FlowNetwork&&) noexcept = default;

void FlowNetwork::link(std::uint32_t one, std::uint32_t other, std::int64_t there, std::int64_t back) {
  BoostGraph::Adjacency& graph = graph_->of_nodes;
  const auto edge_there = boost::add_edge(one, other, graph).first;
  const auto edge_back = boost::add_edge(other, one, graph).first;
  boost::put(boost::edge_capacity, graph, edge_there, there);
  boost::put(boost::edge_capacity, graph, edge_back, back);
  boost::put(boost::edge_reverse, graph, edge_there, edge_back);
  boost::put(boost::edge_reverse, graph, edge_back, edge_there);
}

std::vector<bool> FlowNetwork::source_side(std::uint32_t source, std::uint32_t target) {
  BoostGraph::Adjacency& graph = graph_->of_nodes;
  boost::boykov_kolmogorov_max_flow(graph, source, target);
  std::vector<bool> reached(boost::num_vertices(graph));
  const auto colors = boost::get(boost::vertex_color, graph);
  for (std::size_t node = 0; node < reached.size(); ++node) reached[node] = colors[node] == boost::black_color;
  return reached;
}

}  // namespace quadrille
