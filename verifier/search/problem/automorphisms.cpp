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
#include <algorithm>
#include <bliss/graph.hh>
#include <map>
#include <utility>

#include "verifier/search/problem/symmetry.h"

namespace quadrille::searching {
namespace {

constexpr std::uint64_t most_vertices = std::uint64_t{1} << 16;
constexpr std::uint64_t most_work = std::uint64_t{1} << 28;  // nodes of the search tree x vertices: some seconds

constexpr std::uint64_t most_numbers = std::uint64_t{1} << 24;  // generators x nodes: 64 MiB

class BoundedGraph final : public bliss::Graph {
 public:
  explicit BoundedGraph(Watch* watch) : watch_(watch) {}

 private:
  bliss::Partition::Cell* find_next_cell_to_be_splitted(bliss::Partition::Cell* cell) override {
    require_open(watch_);
    work_ += get_nof_vertices();
    if (work_ > most_work) throw Ended{Reason::limit};
    return bliss::Graph::find_next_cell_to_be_splitted(cell);
  }

  Watch* watch_;
  std::uint64_t work_ = 0;
};

// The number of packets that a half-duplex link carries in a step; 0 in full duplex.
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

}  // namespace quadrille::searching
