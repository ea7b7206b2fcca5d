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
#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/distances.h"
#include "verifier/bounds/split.h"

namespace quadrille::bounds {
namespace {

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

}  // namespace

void splits_at_links(const CutGraph& graph, const ExpectedCrossings& crossings, Effort effort, BestSplits& best) {
  constexpr std::uint64_t many = std::uint64_t{1} << 23;
  const std::uint64_t each = 4 * (graph.ends() + graph.nodes() * crossings.cost());
  const std::uint64_t stride = graph.ends() / std::max<std::uint64_t>(many / each, 1) + 1;
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

}  // namespace quadrille::bounds
