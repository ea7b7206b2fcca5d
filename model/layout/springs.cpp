// The springs of Kamada and Kawai, by Boost.Graph. Springs as long as their distance in the graph connect all pairs,
// and nodes move one at a time to where the energy is least, from a circle in the order of numbers. Each component is
// laid out separately, beside the one before. Cost: cubic in a component's nodes, with a limited number of moves.
// (Boost.Graph is large; this is the only source that includes it.)
#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/circle_layout.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/kamada_kawai_spring_layout.hpp>
#include <cmath>
#include <cstddef>

#include "model/layout/positions.h"

namespace quadrille::layout {
namespace {

using Topology = boost::square_topology<>;
using Point = Topology::point_type;
using Spring = boost::property<boost::edge_weight_t, double>;
using Springs = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property, Spring>;

Springs undirected(const Fabric& fabric, const std::vector<std::uint32_t>& place, std::size_t count,
                   const std::vector<int>& component, int which) {
  Springs graph(count);
  for (const Channel& channel : fabric.all_channels()) {
    if (component[channel.from.value] != which) continue;
    const auto a = place[channel.from.value];
    const auto b = place[channel.to.value];
    if (!boost::edge(a, b, graph).second) boost::add_edge(a, b, Spring(1.0), graph);
  }
  return graph;
}

// Ends after so many moves, or with the limits.
class Patience {
 public:
  Patience(const Limits& limits, std::size_t moves) : limits_(&limits), left_(moves) {}

  template <class Graph, class Vertex>
  bool operator()(double delta, Vertex, const Graph&, bool global) {
    if (left_ == 0 || (left_-- % 16 == 0 && limits_->reached() != Reason::none)) return true;
    if (!global) return delta < 1e-3;
    const bool settled = last_ > 0 && std::abs(last_ - delta) < 1e-4 * last_;
    last_ = delta;
    return settled || delta < 1e-4;
  }

 private:
  const Limits* limits_;
  std::size_t left_;
  double last_ = 0;
};

std::vector<NodePosition> settled(const Springs& graph, const Limits& limits) {
  const std::size_t count = boost::num_vertices(graph);
  const double side = std::max(1.0, std::sqrt(static_cast<double>(count)) * 1.5);
  std::vector<Point> points(count);
  const auto map = boost::make_iterator_property_map(points.begin(), boost::get(boost::vertex_index, graph));
  boost::circle_graph_layout(graph, map, side / 2);
  if (count > 2) {
    boost::kamada_kawai_spring_layout(graph, map, boost::get(boost::edge_weight, graph), Topology(side),
                                      boost::side_length(side), Patience(limits, 200 * count));
  }
  std::vector<NodePosition> all;
  for (const Point& point : points) all.push_back({point[0], point[1]});
  return all;
}

// So that neighbours are 1 apart in the mean.
void scale(std::vector<NodePosition>& all, const Springs& graph) {
  double sum = 0;
  std::size_t number = 0;
  for (const auto& edge : boost::make_iterator_range(boost::edges(graph))) {
    const NodePosition& a = all[boost::source(edge, graph)];
    const NodePosition& b = all[boost::target(edge, graph)];
    sum += std::hypot(a.x - b.x, a.y - b.y);
    ++number;
  }
  if (sum <= 0) return;
  const double factor = static_cast<double>(number) / sum;
  for (NodePosition& it : all) it = {it.x * factor, it.y * factor};
}

bool finite(const std::vector<NodePosition>& all) {
  return std::ranges::all_of(all, [](const NodePosition& it) { return std::isfinite(it.x) && std::isfinite(it.y); });
}

}  // namespace

std::vector<NodePosition> springs(const Fabric& fabric, const Limits& limits) {
  Springs whole(fabric.nodes());
  for (const Channel& channel : fabric.all_channels()) boost::add_edge(channel.from.value, channel.to.value, whole);
  std::vector<int> component(fabric.nodes());
  const int components = boost::connected_components(whole, component.data());
  std::vector<NodePosition> all(fabric.nodes());
  double right = 0;
  for (int which = 0; which < components; ++which) {
    std::vector<std::uint32_t> nodes;
    std::vector<std::uint32_t> place(fabric.nodes());
    for (std::uint32_t v = 0; v < fabric.nodes(); ++v) {
      if (component[v] != which) continue;
      place[v] = static_cast<std::uint32_t>(nodes.size());
      nodes.push_back(v);
    }
    const Springs graph = undirected(fabric, place, nodes.size(), component, which);
    std::vector<NodePosition> its = settled(graph, limits);
    if (limits.reached() != Reason::none || !finite(its)) return {};
    scale(its, graph);
    const double left = std::ranges::min_element(its, {}, &NodePosition::x)->x;
    for (std::size_t i = 0; i < nodes.size(); ++i) all[nodes[i]] = {its[i].x - left + right, its[i].y};
    right = std::ranges::max_element(all, {}, &NodePosition::x)->x + 1;
  }
  return all;
}

}  // namespace quadrille::layout
