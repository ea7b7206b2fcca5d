// Finds a minimum cut between a group and the other processors in a graph whose node 0 is the group and whose node 1 is
// all the others. Every unit that enters the group crosses any such cut.
//
// Cost: a flow for each group.
#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>

#include "model/topologies/flow_network.h"
#include "verifier/bounds/partitions.h"

namespace quadrille::bounds {
namespace {

constexpr std::uint64_t visits_of_flow = 8;  // to an end of a link in one flow, about

// A link of a graph whose node 0 is the group, node 1 the other processors; the rest are switches.
struct CutLink {
  std::uint32_t one;
  std::uint32_t other;
  std::uint64_t there;
  std::uint64_t back;
};

std::uint32_t place(std::uint32_t node, std::uint32_t processors, const Partition& partition, std::uint32_t group) {
  if (node >= processors) return node - processors + 2;
  return partition.group_of[node] == group ? 0 : 1;
}

// The links between the group, the other processors and the switches, with the capacities to count for this border.
std::vector<CutLink> links_around(const CutGraph& graph, const Partition& partition, std::uint32_t group,
                                  Border border) {
  const auto place_of = [&](std::uint32_t node) { return place(node, graph.processors(), partition, group); };
  std::vector<CutLink> links{{0, 1, 0, 0}};
  for (std::uint32_t middle = 2; middle < graph.nodes() - graph.processors() + 2; ++middle) {
    links.push_back({0, middle, 0, 0});
    links.push_back({1, middle, 0, 0});
  }
  for (std::uint32_t u = 0; u < graph.nodes(); ++u) {
    for (const Neighbour& it : graph.around(u)) {
      const auto [one, other] = std::pair(place_of(u), place_of(it.node));
      if (one >= other) continue;
      const bool both = border == Border::both;
      const CutLink link{one, other, both ? it.both : it.to, both ? it.both : it.from};
      if (one > 1) {
        links.push_back(link);
        continue;
      }
      CutLink& sum = links[other == 1 ? 0 : 1 + 2 * (other - 2) + one];
      sum.there += link.there;
      sum.back += link.back;
    }
  }
  return links;
}

// A least cut between the group and the other processors.
struct LeastCut {
  std::vector<bool> before;  // by place: on the side from which the border is crossed
  std::uint64_t capacity = 0;
};

LeastCut least_cut(const std::vector<CutLink>& links, std::uint32_t nodes, Border border) {
  FlowNetwork network(nodes);
  for (const CutLink& link : links) {
    if (link.there + link.back == 0) continue;
    network.link(link.one, link.other, static_cast<std::int64_t>(link.there), static_cast<std::int64_t>(link.back));
  }
  LeastCut cut{border == Border::in ? network.source_side(1, 0) : network.source_side(0, 1), 0};
  for (const CutLink& link : links) {
    if (cut.before[link.one] && !cut.before[link.other]) cut.capacity += link.there;
    if (cut.before[link.other] && !cut.before[link.one]) cut.capacity += link.back;
  }
  return cut;
}

// By group, the capacity at its processors.
std::vector<std::uint64_t> capacities_at(const CutGraph& graph, const Partition& partition, Border border) {
  std::vector<std::uint64_t> capacities(partition.groups);
  for (std::uint32_t p = 0; p < graph.processors(); ++p) {
    const std::uint32_t group = partition.group_of[p];
    for (const Neighbour& it : graph.around(p)) {
      if (it.node < graph.processors() && partition.group_of[it.node] == group) continue;
      capacities[group] += border == Border::in ? it.from : border == Border::out ? it.to : it.both;
    }
  }
  return capacities;
}

// The channels that lead from one side to the other; both: the links between the sides.
std::vector<std::string> channels_across(const Fabric& fabric, const std::function<bool(NodeId)>& before,
                                         Border border) {
  std::vector<std::string> names;
  for (std::uint32_t e = 0; e < fabric.channels(); ++e) {
    const Channel channel = fabric.channel(ChannelId(e));
    const bool from = before(channel.from);
    if (from == before(channel.to) || (border != Border::both && !from)) continue;
    if (border == Border::both && fabric.link(ChannelId(e)) != ChannelId(e)) continue;
    names.push_back(fabric.name(ChannelId(e)));
  }
  return names;
}

}  // namespace

std::string_view to_string(Border border) {
  return std::array{"in", "out", "both"}.at(static_cast<std::size_t>(border));
}

std::vector<std::uint64_t> sizes_of(const Partition& partition) {
  std::vector<std::uint64_t> sizes(partition.groups);
  for (const std::uint32_t group : partition.group_of) ++sizes[group];
  return sizes;
}

std::vector<std::uint64_t> rooms_at(Border border, const Fabric& fabric, const CutGraph& graph,
                                    const Partition& partition, Effort& effort) {
  const std::uint32_t nodes = graph.nodes() - graph.processors() + 2;
  const std::vector<std::uint64_t> sizes = sizes_of(partition);
  const bool by_flow = nodes > 2 && effort.spend(visits_of_flow * partition.groups * (graph.ends() + graph.nodes()));
  std::vector<std::uint64_t> rooms = capacities_at(graph, partition, border);
  for (std::uint32_t group = 0; group < partition.groups; ++group) {
    std::uint64_t& own = rooms[group];
    if (by_flow) own = std::min(own, least_cut(links_around(graph, partition, group, border), nodes, border).capacity);
    if (fabric.rules().ports == Ports::single) {
      own = std::min({own, sizes[group], fabric.processors() - sizes[group]});
    }
  }
  return rooms;
}

GroupBorders borders_of(const Fabric& fabric, const Partition& partition, Border border) {
  const CutGraph graph(fabric);
  const std::uint32_t nodes = graph.nodes() - graph.processors() + 2;
  const std::vector<std::uint64_t> at_processors = capacities_at(graph, partition, border);
  GroupBorders made{to_string(border), std::vector<GroupBorders::NamedGroup>(partition.groups)};
  for (std::uint32_t p = 0; p < graph.processors(); ++p) made.groups[partition.group_of[p]].processors.push_back(p);
  for (std::uint32_t group = 0; group < partition.groups; ++group) {
    LeastCut cut;
    if (nodes > 2) cut = least_cut(links_around(graph, partition, group, border), nodes, border);
    const bool at_group = nodes == 2 || at_processors[group] <= cut.capacity;
    const auto before = [&](NodeId node) {
      const std::uint32_t at = place(node.value, graph.processors(), partition, group);
      return at_group ? (at != 0) == (border == Border::in) : static_cast<bool>(cut.before[at]);
    };
    made.groups[group].channels = channels_across(fabric, before, border);
  }
  return made;
}

bool rows_are_entries(const Fabric& fabric, const DemandShape& shape) {
  if (!fabric.has_switches()) return true;
  if (shape.combining()) return !fabric.switches_reduce();
  return !shape.shared() || fabric.switches_forward();
}

}  // namespace quadrille::bounds
