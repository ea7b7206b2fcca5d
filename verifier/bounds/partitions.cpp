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
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

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

}  // namespace quadrille::bounds
