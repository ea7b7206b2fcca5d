// By a largest flow: the cut is between the nodes that flow could still reach and all others. For example, between
// cards 7 and 8 of two servers whose cards are on rails, each with one link, and on a faster switch, the cut is the
// links 7 -> rail 7 and 0 -> rail 0. Cost: for each path along which the flow grows a pass over the channels.
#include "driver/search/smallest_cut.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/edmonds_karp_max_flow.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

namespace quadrille::driver {
namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using FlowGraph = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS,
    boost::property<boost::vertex_color_t, boost::default_color_type,
                    boost::property<boost::vertex_predecessor_t, Traits::edge_descriptor>>,
    boost::property<boost::edge_capacity_t, std::int64_t,
                    boost::property<boost::edge_residual_capacity_t, std::int64_t,
                                    boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;

}  // namespace

std::vector<ChannelId> smallest_cut(const Fabric& fabric, std::span<const ChannelId> channels, NodeId source,
                                    NodeId target, const std::function<double(ChannelId)>& rate) {
  constexpr double units = 1 << 30;  // of the greatest rate: whole numbers, as flows have to be exact
  double greatest = 0;
  for (const ChannelId id : channels) greatest = std::max(greatest, rate(id));
  FlowGraph graph;
  std::map<NodeId, FlowGraph::vertex_descriptor> vertices;
  const auto vertex = [&](NodeId node) {
    const auto [known, added] = vertices.try_emplace(node);
    if (added) known->second = add_vertex(graph);
    return known->second;
  };
  const auto add = [&](FlowGraph::vertex_descriptor from, FlowGraph::vertex_descriptor to, std::int64_t capacity) {
    const auto edge = add_edge(from, to, graph).first;
    put(boost::edge_capacity, graph, edge, capacity);
    return edge;
  };
  for (const ChannelId id : channels) {
    const auto from = vertex(fabric.channel(id).from);
    const auto to = vertex(fabric.channel(id).to);
    const auto there = add(from, to, std::llround(rate(id) / greatest * units));
    const auto back = add(to, from, 0);
    put(boost::edge_reverse, graph, there, back);
    put(boost::edge_reverse, graph, back, there);
  }
  boost::edmonds_karp_max_flow(
      graph, vertex(source), vertex(target),
      boost::color_map(get(boost::vertex_color, graph)).predecessor_map(get(boost::vertex_predecessor, graph)));
  const auto reached = [&](NodeId node) {
    return get(boost::vertex_color, graph, vertex(node)) != boost::color_traits<boost::default_color_type>::white();
  };
  std::vector<ChannelId> cut;
  for (const ChannelId id : channels) {
    if (reached(fabric.channel(id).from) && !reached(fabric.channel(id).to)) cut.push_back(id);
  }
  return cut;
}

}  // namespace quadrille::driver
