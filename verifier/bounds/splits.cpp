// Looks for cuts with much to carry over few channels. For a small fabric, all splits are looked at. For a larger
// one, or where switches would make them too many, there are three kinds of candidates: halves that lie nearer to one
// end of a link, sweeps, and minimum cuts between processors. The best of them are improved node by node.
//
//   two DGX-1 servers are joined by one link. Of the 2^15 splits of their 16 processors, the one into servers has 64
//   packets of a total exchange to carry over the link each way, so it takes 64 steps.
//
// Cost: most_visits looks at nodes and links for each kind of candidate; some tenths of a second at most.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "model/topologies/flow_network.h"
#include "verifier/bounds/parts.h"
#include "verifier/bounds/split.h"

namespace quadrille::bounds {
namespace {

constexpr std::uint64_t most_visits = std::uint64_t{1} << 23;

// --- all splits ------------------------------------------------------------------------------------------------------

// Visits all splits of a small fabric, each one flip of a node away from the one before it (F. Gray's code). Node 0
// stays outside, because a split and its complement are the same cut.
//
//   of 0, 1, 2: {1}, {1, 2}, {2}
//
// Cost: for each split, the links at the node that moves; where switches are placed, also their links, some times.

constexpr std::uint32_t most_moving = 19;  // all but node 0
constexpr std::uint64_t most_placements = std::uint64_t{1} << 26;

bool every_node_moves(const CutGraph& graph) { return graph.nodes() <= most_moving + 1; }

std::uint64_t ends_at_switches(const CutGraph& graph) {
  std::uint64_t ends = 0;
  for (std::uint32_t v = graph.processors(); v < graph.nodes(); ++v) ends += graph.around(v).size();
  return ends;
}

bool few_splits(const CutGraph& graph) {
  if (every_node_moves(graph)) return true;
  if (graph.processors() > most_moving + 1) return false;
  return ends_at_switches(graph) <= most_placements >> (graph.processors() - 1);
}

bool all_splits(const CutGraph& graph, const ExpectedCrossings& crossings, Effort effort, BestSplits& best) {
  const bool place_switches = !every_node_moves(graph);
  const std::uint32_t moving = (place_switches ? graph.processors() : graph.nodes()) - 1;
  const std::uint64_t each = crossings.cost() + graph.ends() / graph.nodes();
  Split split(graph, crossings);
  for (std::uint32_t i = 1; i < std::uint32_t{1} << moving; ++i) {
    if (i % 1024 == 0 && !effort.spend(1024 * each)) return false;
    split.flip(static_cast<std::uint32_t>(std::countr_zero(i)) + 1);
    if (place_switches) split.settle_switches();
    best.offer(split);
  }
  return !place_switches;
}

// --- sweeps ---------------------------------------------------------------------------------------------------------

// Splits of larger fabrics that are worth a look: along their links, and along a line on which their nodes are laid
// out.
//
// * For a link u--v, the nodes that are nearer to u than to v: in trees the two sides of the link, in grids and tori
//   of even extents their halves, in hypercubes those of a dimension. (D. Djoković, Distance-Preserving Subgraphs of
//   Hypercubes, J. Combin. Theory B 14, 1973.)
// * Balls: the nodes within some distance of one node.
// * The nodes in the order of an eigenvector of a small eigenvalue of the Laplacian matrix: nodes with similar
//   entries lie close together. (M. Fiedler, Algebraic Connectivity of Graphs, 1973; sweeps: J. Cheeger; D. Spielman,
//   S.-H. Teng.)
//
//   two cliques are joined by a link. The second eigenvector is negative in one and positive in the other, so the
//   sweep finds the link when it has passed half of the nodes.
//
// Cost of a sweep: one look at each end of each link. An eigenvector costs some dozens of these.

constexpr int eigenvectors = 4;
constexpr int rounds = 60;  // of the power method: what is left of larger eigenvalues does no harm
constexpr std::uint32_t balls = 6;

using Vector = std::vector<double>;

// Moves the nodes inside one by one, and offers the best split on the way.
void sweep(const CutGraph& graph, const ExpectedCrossings& crossings, const std::vector<std::uint32_t>& order,
           BestSplits& best) {
  Split split(graph, crossings);
  double most = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    split.flip(order[i]);
    if (split.steps() <= most) continue;
    most = split.steps();
    at = i;
  }
  for (std::size_t i = order.size() - 1; i-- > at + 1;) split.flip(order[i]);
  best.offer(split);
  split.settle_switches();
  best.offer(split);
}

template <class Value>
std::vector<std::uint32_t> order_by(const std::vector<Value>& values) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
  return order;
}

double product(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

// Removes the vector's components along the others, which have length 1, and scales it to length 1.
void make_orthogonal(Vector& vector, const std::vector<Vector>& others) {
  for (const Vector& other : others) {
    const double shared = product(vector, other);
    for (std::size_t i = 0; i < vector.size(); ++i) vector[i] -= shared * other[i];
  }
  const double length = std::sqrt(product(vector, vector));
  if (length > 0) {
    for (double& it : vector) it /= length;
  }
}

// (c I - L) x, where c is twice the largest degree: the smallest eigenvalues of L become the largest.
Vector smoothed(const CutGraph& graph, const Vector& degrees, double twice_largest, const Vector& x) {
  Vector result(x.size());
  for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
    double sum = (twice_largest - degrees[v]) * x[v];
    for (const Neighbour& it : graph.around(v)) sum += static_cast<double>(it.to + it.from) * x[it.node];
    result[v] = sum;
  }
  return result;
}

// Pseudorandom numbers that are the same each time.
Vector noise(std::uint32_t size, std::uint32_t seed) {
  Vector result;
  std::uint32_t state = seed * 2654435761U + 1;
  for (std::uint32_t i = 0; i < size; ++i) {
    state = state * 1664525U + 1013904223U;
    result.push_back(static_cast<double>(state >> 8U) - static_cast<double>(1U << 23U));
  }
  return result;
}

void spectral_sweeps(const CutGraph& graph, const ExpectedCrossings& crossings, Effort& effort, BestSplits& best) {
  Vector degrees(graph.nodes());
  for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
    for (const Neighbour& it : graph.around(v)) degrees[v] += static_cast<double>(it.to + it.from);
  }
  const double twice_largest = 2 * *std::ranges::max_element(degrees);
  std::vector<Vector> known{Vector(graph.nodes(), 1 / std::sqrt(static_cast<double>(graph.nodes())))};
  for (std::uint32_t number = 1; number <= eigenvectors; ++number) {
    Vector vector = noise(graph.nodes(), number);
    for (int round = 0; round < rounds; ++round) {
      if (!effort.spend(graph.ends() + graph.nodes())) return;
      make_orthogonal(vector, known);
      vector = smoothed(graph, degrees, twice_largest, vector);
    }
    make_orthogonal(vector, known);
    sweep(graph, crossings, order_by(vector), best);
    known.push_back(std::move(vector));
  }
}

// Offers the nodes nearer to u than to v; and, if different, the nodes not farther from u than from v.
void offer_halves(Split& split, const std::vector<std::uint32_t>& from_u, const std::vector<std::uint32_t>& from_v,
                  BestSplits& best) {
  std::vector<bool> nearer(from_u.size());
  std::vector<bool> not_farther(from_u.size());
  for (std::size_t node = 0; node < from_u.size(); ++node) {
    nearer[node] = from_u[node] < from_v[node];
    not_farther[node] = from_u[node] <= from_v[node];
  }
  split.set(nearer);
  best.offer(split);
  if (not_farther == nearer) return;
  split.set(not_farther);
  best.offer(split);
}

// Offers, for links u--v, the nodes nearer to u than to v. Looks at a number of links that are evenly spread.
void splits_at_links(const CutGraph& graph, const ExpectedCrossings& crossings, Effort effort, BestSplits& best) {
  const std::uint64_t each = 4 * (graph.ends() + graph.nodes() * crossings.cost());
  const std::uint64_t stride = graph.ends() / std::max<std::uint64_t>(most_visits / each, 1) + 1;
  std::uint64_t number = 0;
  Split split(graph, crossings);
  for (std::uint32_t u = 0; u < graph.nodes(); ++u) {
    std::vector<std::uint32_t> from_u;
    for (const Neighbour& it : graph.around(u)) {
      if (it.node < u || number++ % stride != 0) continue;
      if (!effort.spend(each)) return;
      if (from_u.empty()) from_u = graph.hops_from(u);
      offer_halves(split, from_u, graph.hops_from(it.node), best);
    }
  }
}

// Sweeps: moves the nodes inside one by one, by their distance from some node, or in the order of an eigenvector.
void sweeps(const CutGraph& graph, const ExpectedCrossings& crossings, Effort effort, BestSplits& best) {
  std::uint32_t center = crossings.root();
  for (std::uint32_t i = 0; i < balls && effort.spend(4 * graph.ends()); ++i) {
    const std::vector<std::uint32_t> hops = graph.hops_from(center);
    sweep(graph, crossings, order_by(hops), best);
    center = i % 2 == 0 ? static_cast<std::uint32_t>(std::ranges::max_element(hops) - hops.begin())
                        : (i + 1) * (graph.nodes() / balls);
  }
  spectral_sweeps(graph, crossings, effort, best);
}

// --- minimum cuts ----------------------------------------------------------------------------------------------------

// Minimum cuts between processors. If links have the same capacity both ways, n - 1 cuts show the minimum cut of any
// two: the tree of Gomory and Hu. It is computed by Gusfield's method: i is cut from its parent, and processors on
// its side that have the same parent become its children. Otherwise each processor is cut from the root, both ways.
//
//   a path 0-1-2 of capacities 3 and 1: 1 is cut from 0 by 3; 2 from 0 by 1, at the link 1-2
//
// (R. Gomory, T. Hu, Multi-Terminal Network Flows, 1961; D. Gusfield, Very Simple Methods for All Pairs Network Flow
// Analysis, SIAM J. Comput. 19, 1990.)
// Cost: one or two maximum flows for each processor.

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

void minimum_splits(const CutGraph& graph, const ExpectedCrossings& crossings, Effort effort, BestSplits& best) {
  FlowNetwork network = network_of(graph);
  Split split(graph, crossings);
  const auto offer = [&](const std::vector<bool>& inside) {
    split.set(inside);
    best.offer(split);
  };
  const bool both_ways = graph.symmetric();
  const std::uint32_t root = both_ways ? 0 : crossings.root();
  // A connected graph has more ends than nodes; in any other, each flow still looks at every node.
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

// --- improved splits -------------------------------------------------------------------------------------------------

// Improves splits node by node. A pass moves one node after another across, each once. It chooses the node at the
// border whose move leaves the most steps, even where that is fewer than before. Of all splits on the way, the best
// stays. So a pass finds swaps of two nodes of which each move alone would be a loss. (B. Kernighan, S. Lin, An
// Efficient Heuristic Procedure for Partitioning Graphs, 1970; C. Fiduccia, R. Mattheyses, A Linear-Time Heuristic
// for Improving Network Partitions, 1982.)
//
//   the ring 0 … 7 with {0, 1, 3} inside, total exchange: 3·5 packets over 4 channels; 2 comes inside: 4·4 over 2
//
// Cost of a pass: for each move, the links at each node.

constexpr std::size_t most_improved = 8;
constexpr std::size_t most_moves = 64;  // of a pass, without a gain
constexpr int most_passes = 16;

// The node, not moved yet, whose move leaves the most steps; `nodes` if there is none.
std::uint32_t best_move(const CutGraph& graph, const Split& split, const std::vector<bool>& moved) {
  std::uint32_t best = graph.nodes();
  double most = 0;
  for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
    if (moved[v] || !split.on_the_border(v)) continue;
    const double steps = split.steps_if_flipped(v);
    if (steps <= most) continue;
    most = steps;
    best = v;
  }
  return best;
}

// Makes one pass; returns whether the split is better now.
bool pass(const CutGraph& graph, Split& split, std::uint64_t visits, Effort& effort) {
  std::vector<bool> moved(graph.nodes());
  std::vector<std::uint32_t> moves;
  std::size_t kept = 0;
  double most = split.steps();
  while (moves.size() < kept + most_moves && effort.spend(visits)) {
    const std::uint32_t node = best_move(graph, split, moved);
    if (node == graph.nodes()) break;
    split.flip(node);
    moved[node] = true;
    moves.push_back(node);
    if (split.steps() <= most) continue;
    most = split.steps();
    kept = moves.size();
  }
  for (std::size_t i = moves.size(); i-- > kept;) split.flip(moves[i]);
  return kept > 0;
}

void improve(const CutGraph& graph, const ExpectedCrossings& crossings, Effort effort, BestSplits& best) {
  std::vector<BestSplits::Known> known = best.all();
  known.resize(std::min(known.size(), most_improved));
  const std::uint64_t visits = graph.ends() + graph.nodes() * crossings.cost();  // of one move
  Split split(graph, crossings);
  for (const BestSplits::Known& it : known) {
    split.set(it.inside);
    for (int turn = 0; turn < most_passes && pass(graph, split, visits, effort); ++turn) {
    }
    best.offer(split);
  }
}

constexpr std::uint64_t most_visits_of_all = std::uint64_t{1} << 26;  // where all splits are looked at
constexpr std::uint32_t most_with_known_cuts = 64;                    // nodes of a fabric whose topology knows cuts
constexpr std::uint32_t most_named = 8;

// Whether all channels exist and have one capacity. Then single processors are the tightest cuts.
bool complete(const Fabric& fabric) {
  const std::uint64_t n = fabric.nodes();
  return fabric.channels() == n * (n - 1) && fabric.least_capacity() == fabric.largest_capacity();
}

// Makes a cut of a split, and names it after the side with fewer processors.
Cut cut_of(const Fabric& fabric, std::vector<bool> side) {
  const auto processors_end = side.begin() + fabric.processors();
  const auto inside = std::count(side.begin(), processors_end, true);
  if (2 * inside > fabric.processors() || (2 * inside == fabric.processors() && !side.front())) side.flip();
  Cut cut;
  cut.inside.assign(side.begin(), side.begin() + fabric.processors());
  cut.name = name_of(cut.inside);
  for (std::uint32_t e = 0; e < fabric.channels(); ++e) {
    const Channel& channel = fabric.channel(ChannelId{e});
    if (side[channel.from.value] == side[channel.to.value]) continue;
    (side[channel.from.value] ? cut.out : cut.in).emplace_back(e);
  }
  return cut;
}

}  // namespace

std::string name_of(const std::vector<bool>& inside) {
  std::vector<std::size_t> members;
  for (std::size_t p = 0; p < inside.size(); ++p) {
    if (inside[p]) members.push_back(p);
  }
  if (members.size() == 1) return fmt::format("processor {}", members.front());
  if (members.size() > 2 && members.back() - members.front() + 1 == members.size()) {
    return fmt::format("processors {} to {}", members.front(), members.back());
  }
  if (members.size() > most_named) {
    const std::size_t number = members.size();
    members.resize(most_named / 2);
    return fmt::format("{} processors ({}, …)", number, fmt::join(members, ", "));
  }
  const std::size_t last = members.back();
  members.pop_back();
  return fmt::format("processors {} and {}", fmt::join(members, ", "), last);
}

std::vector<Cut> graph_cuts(const Fabric& fabric, const Collective& collective, const Limits& limits) {
  if (fabric.processors() < 2 || complete(fabric)) return {};
  if (fabric.nodes() > most_with_known_cuts && !fabric.topology().cuts(fabric).empty()) return {};
  // Beyond that the graph alone takes seconds, and nothing that is looked for in it is left to spend.
  if (fabric.channels() > 4 * most_visits || limits.reached() != Reason::none) return {};
  const CutGraph graph(fabric);
  const ExpectedCrossings crossings(collective);
  const Effort effort(most_visits, limits);
  BestSplits best;
  const bool all = few_splits(graph) && all_splits(graph, crossings, Effort(most_visits_of_all, limits), best);
  if (!all) {
    splits_at_links(graph, crossings, effort, best);
    sweeps(graph, crossings, effort, best);
    minimum_splits(graph, crossings, effort, best);
    improve(graph, crossings, effort, best);
  }
  std::vector<Cut> cuts;
  for (const BestSplits::Known& known : best.all()) cuts.push_back(cut_of(fabric, known.inside));
  return cuts;
}

}  // namespace quadrille::bounds
