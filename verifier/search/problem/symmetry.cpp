// Idea: the topology proposes groups (model/topologies/). If it knows of none, two kinds are tried: the group of all
// automorphisms that keep the collective (bliss finds it), if it is small enough, and the groups that single
// automorphisms generate. The fewer elements a group has, the more schedules are invariant under it, and the larger
// the formula.
//
//   a ring of 6, written as a graph, allgather: all 12 automorphisms; the 6 rotations, by one of them; the 2 of one
//   reflection
//
// Cost: elements x nodes, of 4096 elements at most.
#include "verifier/search/problem/symmetry.h"

#include <fmt/format.h>

#include <algorithm>
#include <bliss/graph.hh>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "model/collective_family.h"
#include "model/topology.h"

namespace quadrille::searching {
namespace {

constexpr std::size_t most_elements = 4096;
constexpr std::size_t most_numbers = std::size_t{1} << 24;  // generators x nodes: 64 MiB; elements x nodes: twice

// --- all automorphisms ----------------------------------------------------------------------------------------------

// Idea: bliss finds the automorphisms of a graph whose vertices have colours. A fabric becomes such a graph as
// follows. Each node and each channel is a vertex. A channel's vertex is adjacent to the vertex of the node that it
// leaves and to its reverse's vertex; where there is no reverse, an extra vertex with a colour of its own stands in
// its place. The channel vertices' colours encode the capacities, so that an automorphism of the graph, restricted to
// the nodes, keeps channels and capacities.
//
//   processors 0 and 1, 0->1 of capacity 2, 1->0 of capacity 1:       0 -- (2) -- (1) -- 1
//   no automorphism but the identity; with capacities 1 and 1 it can be turned around
//
// Cost: near linear for the fabrics that people build. It is exponential for some graphs that are made for it, so the
// search tree is bounded. bliss 0.73 has no hook for that. But each node of its search tree begins with the choice of
// a cell, which is a virtual function; the override counts the work and ends the search with an exception.
//
// T. Junttila, P. Kaski, Engineering an Efficient Canonical Labeling Tool for Large and Sparse Graphs, ALENEX 2007.

constexpr std::uint64_t most_vertices = std::uint64_t{1} << 16;
constexpr std::uint64_t most_tree_work = std::uint64_t{1} << 28;  // nodes of the search tree x vertices: some seconds

class BoundedGraph final : public bliss::Graph {
 public:
  explicit BoundedGraph(Watch* watch) : watch_(watch) {}

 private:
  bliss::Partition::Cell* find_next_cell_to_be_splitted(bliss::Partition::Cell* cell) override {
    require_open(watch_);
    work_ += get_nof_vertices();
    if (work_ > most_tree_work) throw Ended{Reason::limit};
    return bliss::Graph::find_next_cell_to_be_splitted(cell);
  }

  Watch* watch_;
  std::uint64_t work_ = 0;
};

// The number of packets that a half-duplex link carries in a step; 0 in full duplex. Its directions' capacities may
// differ (model/MODEL.md, capacity).
std::uint32_t together(const Fabric& fabric, ChannelId id) {
  if (fabric.rules().duplex != Duplex::half) return 0;
  return fabric.channel(fabric.link(id)).capacity;
}

// Adds the vertices: nodes first, with their numbers; then channels; last those in place of missing reverses.
void describe(const Fabric& fabric, std::span<const std::uint32_t> colours, bliss::Graph& graph) {
  using Look = std::pair<std::uint32_t, std::uint32_t>;
  enum : std::uint32_t { processor, node, channel, no_channel };
  std::map<std::pair<std::uint32_t, Look>, std::uint32_t> numbers;
  const auto colour = [&](std::uint32_t kind, Look look) {
    return numbers.try_emplace({kind, look}, static_cast<std::uint32_t>(numbers.size())).first->second;
  };
  for (std::uint32_t v = 0; v < fabric.nodes(); ++v) {
    graph.add_vertex(fabric.is_processor(NodeId{v}) ? colour(processor, {colours[v], 0}) : colour(node, {0, 0}));
  }
  for (std::uint32_t e = 0; e < fabric.channels(); ++e) {
    const ChannelId id{e};
    const std::uint32_t vertex = graph.add_vertex(colour(channel, {fabric.channel(id).capacity, together(fabric, id)}));
    graph.add_edge(vertex, fabric.channel(id).from.value);
    // The channel with the larger number adds the one edge between a channel and its reverse.
    const auto reverse = fabric.reverse(id);
    if (reverse && *reverse < id) graph.add_edge(vertex, fabric.nodes() + reverse->value);
  }
  for (std::uint32_t e = 0; e < fabric.channels() && fabric.has_one_way_links(); ++e) {
    if (fabric.reverse(ChannelId{e})) continue;
    const std::uint32_t vertex = graph.add_vertex(colour(no_channel, {0, 0}));
    graph.add_edge(vertex, fabric.channel(ChannelId{e}).to.value);
    graph.add_edge(vertex, fabric.nodes() + e);
  }
}

struct Found {
  std::uint32_t nodes;
  std::vector<Permutation> generators;
};

void keep(void* found, unsigned int /*vertices*/, const unsigned int* images) {
  auto* const it = static_cast<Found*>(found);
  if (it->generators.size() >= most_numbers / it->nodes) return;  // the generators that are kept generate a subgroup
  it->generators.emplace_back(images, images + it->nodes);
}

}  // namespace

std::vector<Permutation> automorphism_generators(const Fabric& fabric, std::span<const std::uint32_t> colours,
                                                 Watch* watch) {
  // Where links go one way, each channel has two vertices at most.
  const std::uint64_t of_channels = std::uint64_t{fabric.channels()} * (fabric.has_one_way_links() ? 2 : 1);
  if (fabric.nodes() + of_channels > most_vertices) return {};
  require_open(watch);
  BoundedGraph graph(watch);
  describe(fabric, colours, graph);
  Found found{fabric.nodes(), {}};
  bliss::Stats stats;
  try {
    graph.find_automorphisms(stats, &keep, &found);
  } catch (const Ended&) {
    require_open(watch);  // else it took long; the generators that were found until then are automorphisms, too
  }
  return std::move(found.generators);
}

namespace {

// --- groups ---------------------------------------------------------------------------------------------------------

Permutation identity(std::uint32_t nodes) {
  Permutation permutation(nodes);
  std::iota(permutation.begin(), permutation.end(), 0U);
  return permutation;
}

// The group that the generators generate; nothing if it has more than a few thousand elements. A generator that is in
// the group already adds nothing. Every other one at least doubles the group, so few are multiplied with.
std::optional<Group> generated(std::string name, std::uint32_t nodes, const std::vector<Permutation>& generators,
                               Watch* watch) {
  Group group{std::move(name), {identity(nodes)}};
  std::set<Permutation> seen{group.elements.front()};
  std::vector<const Permutation*> useful;
  for (const Permutation& generator : generators) {
    if (seen.contains(generator)) continue;
    useful.push_back(&generator);
    // Closes the group: multiplies every element, also those that this adds, by every useful generator.
    for (std::size_t next = 0; next < group.elements.size(); ++next) {
      require_open(watch);
      for (const Permutation* factor : useful) {
        Permutation product(nodes);
        for (std::uint32_t v = 0; v < nodes; ++v) product[v] = (*factor)[group.elements[next][v]];
        if (!seen.insert(product).second) continue;
        group.elements.push_back(std::move(product));
        if (group.elements.size() > most_elements || group.elements.size() > most_numbers / nodes) return std::nullopt;
      }
    }
  }
  return group;
}

// Colours for processors: a symmetry may exchange only processors of one colour. The root has its own colour; where
// contributions must stay intervals, p shares its colour with n - 1 - p only.
std::vector<std::uint32_t> colours_of(const Collective& collective) {
  const std::uint32_t n = collective.processors();
  const bool intervals = collective.combining() && collective.ordered();
  std::vector<std::uint32_t> colours(n, n);
  for (std::uint32_t p = 0; p < n && intervals; ++p) colours[p] = std::min(p, n - 1 - p);
  if (collective.rooted()) colours[collective.description().root] = n + 1;
  return colours;
}

// The order of the permutation: the least k > 0 such that k applications are the identity; `most` if it is more.
std::size_t order_of(const Permutation& permutation, std::size_t most) {
  std::size_t order = 1;
  std::vector<bool> seen(permutation.size());
  for (std::uint32_t v = 0; v < permutation.size() && order < most; ++v) {
    std::size_t length = 0;
    for (std::uint32_t w = v; !seen[w]; w = permutation[w], ++length) seen[w] = true;
    if (length > 0) order = std::lcm(order, length);
  }
  return std::min(order, most);
}

// Some elements, of each order, of the group that the generators generate. They are taken from the generators and
// their products in a fixed order that mixes them (each element times one of the generators).
std::vector<Permutation> some_elements(const std::vector<Permutation>& generators) {
  constexpr std::size_t looked_at = 256;
  constexpr std::size_t kept = 8;
  constexpr std::size_t of_an_order = 2;
  std::vector<Permutation> elements = generators;
  for (std::size_t next = 0; elements.size() < looked_at; ++next) {
    const Permutation& factor = generators[next % generators.size()];
    Permutation product(factor.size());
    for (std::size_t v = 0; v < product.size(); ++v) product[v] = factor[elements[next][v]];
    elements.push_back(std::move(product));
  }
  std::vector<std::pair<std::size_t, std::size_t>> by_order;  // order, place
  for (std::size_t i = 0; i < elements.size(); ++i) by_order.emplace_back(order_of(elements[i], most_elements + 1), i);
  std::stable_sort(by_order.begin(), by_order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Permutation> some;
  std::map<std::size_t, std::size_t> number;  // number of elements taken, by order
  for (const auto& [order, place] : by_order) {
    if (order == 1 || order > most_elements || some.size() == kept || number[order]++ >= of_an_order) continue;
    some.push_back(elements[place]);
  }
  return some;
}

// The group of all automorphisms that keep the collective, and the groups that some single elements generate.
std::vector<Symmetry> found_symmetries(const Fabric& fabric, const Collective& collective, Watch* watch) {
  std::vector<Permutation> generators = automorphism_generators(fabric, colours_of(collective), watch);
  std::vector<Symmetry> all;
  if (generators.empty()) return all;
  for (Permutation& one : some_elements(generators))
    all.push_back({"the powers of one automorphism", {std::move(one)}});
  all.push_back({"all automorphisms", std::move(generators)});
  return all;
}

std::vector<Symmetry> candidates(const Fabric& fabric, const Collective& collective, Watch* watch) {
  auto known = fabric.topology().symmetries(fabric);
  return known ? *std::move(known) : found_symmetries(fabric, collective, watch);
}

// Whether the permutation keeps the contribution sets of an ordered operation: it must map intervals to intervals.
bool keeps_intervals(const Collective& collective, const Permutation& permutation) {
  const std::uint32_t n = collective.processors();
  const auto is = [&](auto image) {
    for (std::uint32_t p = 0; p < n; ++p) {
      if (permutation[p] != image(p)) return false;
    }
    return true;
  };
  return is([](std::uint32_t p) { return p; }) || is([&](std::uint32_t p) { return n - 1 - p; });
}

// Whether the permutation maps the collective to itself.
bool keeps(const Collective& collective, const Permutation& permutation) {
  const std::uint32_t root = collective.description().root;
  if (collective.rooted() && permutation[root] != root) return false;
  return !collective.combining() || !collective.ordered() || keeps_intervals(collective, permutation);
}

}  // namespace

bool is_automorphism(const Fabric& fabric, const Permutation& permutation) {
  const bool half = fabric.rules().duplex == Duplex::half;
  return std::all_of(fabric.all_channels().begin(), fabric.all_channels().end(), [&](const Channel& channel) {
    const auto image =
        fabric.channel_between(NodeId{permutation[channel.from.value]}, NodeId{permutation[channel.to.value]});
    return image && fabric.channel(*image).capacity == channel.capacity &&
           (!half || together(fabric, *image) == together(fabric, *fabric.channel_between(channel.from, channel.to)));
  });
}

Group trivial_group(const Fabric& fabric) { return {"none", {identity(fabric.nodes())}}; }

std::uint32_t image_of_value(const Collective& collective, std::uint32_t value, const Permutation& permutation) {
  if (!collective.shape()->unit_per_wanter) return value;
  const std::uint32_t parts = collective.shape()->parts;
  return permutation[value / parts] * parts + value % parts;
}

std::vector<Group> groups_of(const Fabric& fabric, const Collective& collective, Watch* watch) {
  if (collective.kind().facts().always_ordered || collective.listed()) return {};
  if (fabric.processors() < 2) return {};
  std::vector<Group> groups;
  for (Symmetry& candidate : candidates(fabric, collective, watch)) {
    // No proposal is trusted: a generator that does not keep the fabric and the collective is no symmetry.
    std::erase_if(candidate.generators, [&](const Permutation& generator) {
      return !keeps(collective, generator) || !is_automorphism(fabric, generator);
    });
    std::optional<Group> group = generated(std::move(candidate.name), fabric.nodes(), candidate.generators, watch);
    if (!group || group->elements.size() == 1) continue;
    const bool known = std::any_of(groups.begin(), groups.end(),
                                   [&](const Group& other) { return other.elements == group->elements; });
    if (!known) groups.push_back(std::move(*group));
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Group& a, const Group& b) { return a.elements.size() > b.elements.size(); });
  return groups;
}

// Idea: one hop of each orbit determines an invariant schedule, so a formula needs variables for these hops only. The
// representative of a pair (chunk, place) is found in two steps: first the least image of the chunk; then the lowest
// image of the place under the elements that map the chunk to it.
//
//   k -> k xor x on 4 leaves, total exchange: 0->1, 1->0, 2->3, 3->2 are one orbit; its first member is 0->1
//
// Cost: chunks x elements of the group, once; then the elements that lead to the first member for each question.

namespace {

ChunkId image(const Collective& collective, ChunkId chunk, const Permutation& permutation) {
  ChunkName name = collective.name(chunk);
  name.origin = permutation[name.origin];
  if (name.target) name.target = permutation[*name.target];
  return collective.chunk(name).value();
}

}  // namespace

Orbits::Orbits(const Fabric& fabric, const Collective& collective, const std::vector<Moves>& moves, const Group& group,
               Watch* watch)
    : trivial_(group.elements.size() == 1), moves_(moves), group_(group) {
  if (trivial_) return;
  nodes_.assign(fabric.nodes(), std::numeric_limits<std::uint32_t>::max());
  channels_.assign(fabric.channels(), std::numeric_limits<std::uint32_t>::max());
  for (const Permutation& element : group.elements) {
    require_open(watch);
    std::vector<std::uint32_t> images(fabric.channels());
    for (std::uint32_t id = 0; id < fabric.channels(); ++id) {
      const Channel& channel = fabric.channel(ChannelId{id});
      images[id] =
          fabric.channel_between(NodeId{element[channel.from.value]}, NodeId{element[channel.to.value]}).value().value;
      channels_[id] = std::min(channels_[id], images[id]);
    }
    channel_images_.push_back(std::move(images));
    for (std::uint32_t v = 0; v < fabric.nodes(); ++v) nodes_[v] = std::min(nodes_[v], element[v]);
  }
  std::map<ChunkId, std::size_t> number;
  for (std::size_t m = 0; m < moves.size(); ++m) number[moves[m].chunk] = m;
  chunks_.resize(moves.size());
  for (std::size_t m = 0; m < moves.size(); ++m) {
    require_open(watch);
    ToFirst& to = chunks_[m];
    to.first = moves.size();
    for (std::uint32_t g = 0; g < group.elements.size(); ++g) {
      // Finds the least image of the chunk, and all elements that lead to it.
      const std::size_t other = number.at(image(collective, moves[m].chunk, group.elements[g]));
      if (other < to.first) to = {other, {}};
      if (other == to.first) to.by.push_back(g);
    }
  }
}

// The least image of a node, or channel, under the elements that map the chunk to the first of its orbit.
std::uint32_t Orbits::least(std::size_t chunk, const std::vector<std::vector<std::uint32_t>>& images,
                            std::uint32_t of) const {
  std::uint32_t first = std::numeric_limits<std::uint32_t>::max();
  for (const std::uint32_t g : chunks_[chunk].by) first = std::min(first, images[g][of]);
  return first;
}

Orbits::Pair Orbits::place(std::size_t chunk, std::size_t place) const {
  if (trivial_) return {chunk, place};
  const std::uint32_t node = least(chunk, group_.elements, moves_[chunk].places[place].node.value);
  return {chunks_[chunk].first, moves_[chunks_[chunk].first].place_of(NodeId{node})};
}

Orbits::Pair Orbits::crossing(std::size_t chunk, std::size_t crossing) const {
  if (trivial_) return {chunk, crossing};
  const std::uint32_t channel = least(chunk, channel_images_, moves_[chunk].crossings[crossing].channel.value);
  return {chunks_[chunk].first, moves_[chunks_[chunk].first].crossing_of(ChannelId{channel})};
}

}  // namespace quadrille::searching
