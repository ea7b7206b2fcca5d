// Takes the fabric apart: without one kind of switches, without one kind of links, and without all links up to some
// capacity. The processors that still hang together are a group. Kinds are colours: a switch's first colour is its
// level and its name without numbers; then nodes of one colour are told apart by the colours around them and the
// capacities to these, a few times over (B. Weisfeiler, A. Leman, 1968).
//
//   8 servers of 8 processors each, on a switch of their own and on rails: without the rails, 8 groups of 8
//
// Of cuts that other bounds look at, the sides that have no processor in common are groups, and so are the processors
// that no one of the first cuts tells apart.
//
// Cost: for each kind, one visit of all links.
#include "verifier/bounds/partitions.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "model/topologies/flow_network.h"

namespace quadrille::bounds {
namespace {

constexpr std::uint32_t no_group = ~std::uint32_t{0};
constexpr int refinements = 3;          // of colours; more of them tell apart what lies farther away
constexpr std::size_t most_kinds = 16;  // of switches, of links and of capacities; more are of an irregular fabric
constexpr std::size_t most_cuts = 24;   // whose sides are kept

using Colours = std::vector<std::uint32_t>;  // by node
using LinkKind = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>;

// Numbers groups in the order of their first processors.
Partition numbered(const std::vector<std::uint32_t>& labels, std::uint32_t processors) {
  Partition partition;
  std::map<std::uint32_t, std::uint32_t> number_of;
  for (std::uint32_t p = 0; p < processors; ++p) {
    const auto number = number_of.emplace(labels[p], static_cast<std::uint32_t>(number_of.size())).first->second;
    partition.group_of.push_back(number);
  }
  partition.groups = static_cast<std::uint32_t>(number_of.size());
  return partition;
}

// Numbers keys in their order, so that the same fabric has the same colours.
template <class Key>
Colours coloured(const std::vector<Key>& keys) {
  std::map<Key, std::uint32_t> number_of;
  for (const Key& key : keys) number_of.emplace(key, 0);
  std::uint32_t next = 0;
  for (auto& [key, number] : number_of) number = next++;
  Colours colours;
  for (const Key& key : keys) colours.push_back(number_of.at(key));
  return colours;
}

std::string without_numbers(std::string name) {
  std::erase_if(name, [](char c) { return c >= '0' && c <= '9'; });
  return name;
}

Colours first_colours(const Fabric& fabric) {
  std::vector<std::tuple<bool, std::uint32_t, std::string>> keys;
  for (NodeId v(0); v.value < fabric.nodes(); ++v.value) {
    if (fabric.is_processor(v)) {
      keys.emplace_back(false, 0, "");
    } else {
      keys.emplace_back(true, fabric.level(v), without_numbers(fabric.name(v)));
    }
  }
  return coloured(keys);
}

Colours refined(const CutGraph& graph, const Colours& colours) {
  using Around = std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>;
  std::vector<std::pair<std::uint32_t, std::vector<Around>>> keys;
  for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
    std::vector<Around> around;
    for (const Neighbour& it : graph.around(v)) around.emplace_back(colours[it.node], it.to, it.from);
    std::ranges::sort(around);
    keys.emplace_back(colours[v], std::move(around));
  }
  return coloured(keys);
}

std::uint64_t width(const Neighbour& it) { return std::max(it.to, it.from); }

LinkKind kind_of(const Colours& colours, std::uint32_t node, const Neighbour& it) {
  const auto [low, high] = std::minmax(colours[node], colours[it.node]);
  return {low, high, width(it)};
}

class PartitionsAtWork {
 public:
  PartitionsAtWork(const Fabric& fabric, const CutGraph& graph, Effort& effort)
      : fabric_(fabric), graph_(graph), effort_(effort) {}

  void singles() {
    std::vector<std::uint32_t> own;
    for (std::uint32_t p = 0; p < graph_.processors(); ++p) own.push_back(p);
    offer(own);
  }

  void without_kinds() {
    Colours colours = first_colours(fabric_);
    for (int turn = 0; turn <= refinements && effort_.spend(visits()); ++turn) {
      if (turn > 0) colours = refined(graph_, colours);
      without_switches(colours);
      without_links(colours);
    }
  }

  void without_narrow_links() {
    std::set<std::uint64_t> widths;
    for (std::uint32_t v = 0; v < graph_.nodes(); ++v) {
      for (const Neighbour& it : graph_.around(v)) widths.insert(width(it));
    }
    if (widths.size() > most_kinds) return;
    for (const std::uint64_t least : widths) {
      offer_components(all_nodes, [&](std::uint32_t, const Neighbour& it) { return width(it) > least; });
    }
  }

  void by_sides(const std::vector<const Cuts*>& cuts) {
    std::vector<std::vector<bool>> sides;
    for (const Cuts* each : cuts) {
      each->each([&](const Cut& cut) {
        if (sides.size() < most_cuts) sides.push_back(cut.inside);
      });
    }
    std::vector<std::uint32_t> apart(graph_.processors(), no_group);
    std::vector<std::uint32_t> met(graph_.processors(), 0);
    for (std::uint32_t i = 0; i < sides.size(); ++i) {
      const std::vector<bool>& side = sides[i];
      bool free = true;
      for (std::uint32_t p = 0; p < side.size(); ++p) free = free && (!side[p] || apart[p] == no_group);
      std::vector<std::pair<std::uint32_t, bool>> keys;
      for (std::uint32_t p = 0; p < side.size(); ++p) {
        if (free && side[p]) apart[p] = i;
        keys.emplace_back(met[p], side[p]);
      }
      met = coloured(keys);
      offer(met);
      if (free) offer(apart);
    }
  }

  std::vector<Partition> take() { return std::move(all_); }

 private:
  using Keep = std::function<bool(std::uint32_t node)>;
  using KeepLink = std::function<bool(std::uint32_t node, const Neighbour&)>;

  static bool all_nodes(std::uint32_t) { return true; }
  static bool all_links(std::uint32_t, const Neighbour&) { return true; }
  std::uint64_t visits() const { return graph_.ends() + graph_.nodes(); }

  void without_switches(const Colours& colours) {
    const std::set<std::uint32_t> kinds(colours.begin() + graph_.processors(), colours.end());
    if (kinds.size() > most_kinds) return;
    for (const std::uint32_t kind : kinds) {
      offer_components([&](std::uint32_t v) { return v < graph_.processors() || colours[v] != kind; }, all_links);
    }
  }

  void without_links(const Colours& colours) {
    std::set<LinkKind> kinds;
    for (std::uint32_t v = 0; v < graph_.nodes(); ++v) {
      for (const Neighbour& it : graph_.around(v)) kinds.insert(kind_of(colours, v, it));
      if (kinds.size() > most_kinds) return;
    }
    for (const LinkKind& kind : kinds) {
      offer_components(all_nodes,
                       [&](std::uint32_t v, const Neighbour& it) { return kind_of(colours, v, it) != kind; });
    }
  }

  void offer_components(const Keep& keep, const KeepLink& keep_link) {
    if (!effort_.spend(visits())) return;
    std::vector<std::uint32_t> component(graph_.nodes(), no_group);
    for (std::uint32_t first = 0; first < graph_.processors(); ++first) {
      if (component[first] != no_group) continue;
      std::vector<std::uint32_t> reached{first};
      component[first] = first;
      for (std::size_t i = 0; i < reached.size(); ++i) {
        for (const Neighbour& it : graph_.around(reached[i])) {
          if (component[it.node] != no_group || !keep(it.node) || !keep_link(reached[i], it)) continue;
          component[it.node] = first;
          reached.push_back(it.node);
        }
      }
    }
    offer(component);
  }

  void offer(const std::vector<std::uint32_t>& labels) {
    Partition partition = numbered(labels, graph_.processors());
    if (partition.groups < 2 || !known_.insert(partition.group_of).second) return;
    all_.push_back(std::move(partition));
  }

  const Fabric& fabric_;
  const CutGraph& graph_;
  Effort& effort_;
  std::set<std::vector<std::uint32_t>> known_;
  std::vector<Partition> all_;
};

}  // namespace

std::vector<Partition> partitions(const Fabric& fabric, const CutGraph& graph, const std::vector<const Cuts*>& cuts,
                                  Effort& effort) {
  PartitionsAtWork work(fabric, graph, effort);
  work.singles();
  work.without_kinds();
  work.without_narrow_links();
  work.by_sides(cuts);
  return work.take();
}

// Finds a minimum cut between a group and the other processors in a graph whose node 0 is the group and whose node 1 is
// all the others. Every unit that enters the group crosses any such cut.
//
// Cost: a flow for each group.

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
