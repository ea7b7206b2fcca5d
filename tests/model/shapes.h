// Fabrics to test with, and the slow, obvious reference: every shape as a set of channels, straight from its
// definition.
#pragma once

#include <rapidcheck.h>

#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/topologies/complete.h"
#include "model/topologies/fat_tree.h"
#include "model/topologies/graph.h"
#include "model/topologies/grid.h"
#include "model/topologies/star.h"

namespace quadrille::test {

// --- shapes: what a fabric is, in its own terms -------------------------------------------------------------------

struct FatTreeShape {
  std::uint32_t arity = 2;
  std::vector<std::uint32_t> capacities;  // one per level
};

struct GridShape {
  std::string kind;
  std::vector<std::uint32_t> extents;
  bool wraps = false;
  std::uint32_t capacity = 1;
};

struct CompleteShape {
  std::uint32_t processors = 0;
  std::uint32_t capacity = 1;
};

struct StarShape {
  std::uint32_t processors = 0;
  std::uint32_t capacity = 1;
};

struct GraphShape {
  std::uint32_t processors = 0;
  std::vector<std::string> switch_names;
  std::vector<Channel> channels;
};

using Shape = std::variant<FatTreeShape, GridShape, CompleteShape, StarShape, GraphShape>;

using Pattern = std::shared_ptr<const Topology>;
inline Pattern topology_of(const FatTreeShape& it) { return std::make_shared<FatTree>(it.arity, it.capacities); }
inline Pattern topology_of(const GridShape& it) { return std::make_shared<Grid>(it.kind, it.extents, it.capacity); }
inline Pattern topology_of(const CompleteShape& it) { return std::make_shared<Complete>(it.processors, it.capacity); }
inline Pattern topology_of(const StarShape& it) { return std::make_shared<Star>(it.processors, it.capacity); }
inline Pattern topology_of(const GraphShape& it) {
  return std::make_shared<Graph>(it.processors, it.switch_names, it.channels);
}

// The fabric that is tested, of the product's topology.
inline Result<Fabric> fabric_of(const Shape& shape, Rules rules = {}, Span where = {}) {
  return Fabric::make(std::visit([](const auto& it) { return topology_of(it); }, shape), rules, where);
}

// --- the reference ----------------------------------------------------------------------------------------------

struct PlainFabric {
  std::uint32_t processors = 0;
  std::uint32_t nodes = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> channels;  // (from, to) -> capacity

  void link(std::uint32_t a, std::uint32_t b, std::uint32_t capacity) {
    channels[{a, b}] = capacity;
    channels[{b, a}] = capacity;
  }
};

// A tree's node by the leaves below it: first … last-1.
struct TreeNode {
  std::uint32_t level;
  std::uint64_t first;
  std::uint64_t last;
};

inline std::vector<TreeNode> tree_nodes(const FatTreeShape& tree) {
  std::uint64_t leaves = 1;
  for (std::size_t i = 0; i < tree.capacities.size(); ++i) leaves *= tree.arity;
  std::vector<TreeNode> nodes;
  std::uint64_t below = 1;
  for (std::uint32_t i = 0; i <= tree.capacities.size(); ++i, below *= tree.arity) {
    for (std::uint64_t first = 0; first < leaves; first += below) nodes.push_back({i, first, first + below});
  }
  return nodes;
}

inline PlainFabric plain(const FatTreeShape& tree) {
  const std::vector<TreeNode> nodes = tree_nodes(tree);
  PlainFabric fabric;
  fabric.nodes = static_cast<std::uint32_t>(nodes.size());
  for (std::uint32_t a = 0; a < nodes.size(); ++a) {
    if (nodes[a].level == 0) ++fabric.processors;
    for (std::uint32_t b = 0; b < nodes.size(); ++b) {
      const bool contains = nodes[b].first <= nodes[a].first && nodes[a].last <= nodes[b].last;
      if (nodes[b].level == nodes[a].level + 1 && contains) fabric.link(a, b, tree.capacities[nodes[a].level]);
    }
  }
  return fabric;
}

// The point's coordinates, the last counting fastest.
inline std::vector<std::uint32_t> coordinates(const GridShape& grid, std::uint32_t point) {
  std::vector<std::uint32_t> x(grid.extents.size());
  for (std::size_t d = x.size(); d-- > 0; point /= grid.extents[d]) x[d] = point % grid.extents[d];
  return x;
}

inline std::uint32_t point_at(const GridShape& grid, const std::vector<std::uint32_t>& x) {
  std::uint32_t point = 0;
  for (std::size_t d = 0; d < x.size(); ++d) point = point * grid.extents[d] + x[d];
  return point;
}

inline bool grid_neighbours(const GridShape& grid, std::uint32_t a, std::uint32_t b) {
  const auto x = coordinates(grid, a);
  const auto y = coordinates(grid, b);
  int near = 0;
  for (std::size_t d = 0; d < x.size(); ++d) {
    if (x[d] == y[d]) continue;
    const std::uint32_t gap = x[d] < y[d] ? y[d] - x[d] : x[d] - y[d];
    const bool round = grid.wraps && grid.extents[d] >= 3 && gap == grid.extents[d] - 1;
    if (gap != 1 && !round) return false;
    ++near;
  }
  return near == 1;
}

inline PlainFabric plain(const GridShape& grid) {
  PlainFabric fabric;
  fabric.nodes = 1;
  for (const std::uint32_t extent : grid.extents) fabric.nodes *= extent;
  fabric.processors = fabric.nodes;
  for (std::uint32_t a = 0; a < fabric.nodes; ++a) {
    for (std::uint32_t b = 0; b < a; ++b) {
      const bool linked = grid.kind == "hypercube" ? std::popcount(a ^ b) == 1 : grid_neighbours(grid, a, b);
      if (linked) fabric.link(a, b, grid.capacity);
    }
  }
  return fabric;
}

inline PlainFabric plain(const CompleteShape& shape) {
  PlainFabric fabric{shape.processors, shape.processors, {}};
  for (std::uint32_t a = 0; a < shape.processors; ++a) {
    for (std::uint32_t b = 0; b < a; ++b) fabric.link(a, b, shape.capacity);
  }
  return fabric;
}

inline PlainFabric plain(const StarShape& shape) {
  PlainFabric fabric{shape.processors, shape.processors + 1, {}};
  for (std::uint32_t a = 0; a < shape.processors; ++a) fabric.link(a, shape.processors, shape.capacity);
  return fabric;
}

inline PlainFabric plain(const GraphShape& shape) {
  const auto switches = static_cast<std::uint32_t>(shape.switch_names.size());
  PlainFabric fabric{shape.processors, shape.processors + switches, {}};
  for (const Channel& c : shape.channels) fabric.channels[{c.from.value, c.to.value}] = c.capacity;
  return fabric;
}

inline PlainFabric plain(const Shape& shape) {
  return std::visit([](const auto& kind) { return plain(kind); }, shape);
}

// Distances from every node to `target`, by going over all channels until nothing changes.
inline std::vector<std::optional<std::uint32_t>> plain_distances(const PlainFabric& fabric, std::uint32_t target) {
  std::vector<std::optional<std::uint32_t>> distances(fabric.nodes);
  distances[target] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [ends, capacity] : fabric.channels) {
      const auto [from, to] = ends;
      if (!distances[to] || (distances[from] && *distances[from] <= *distances[to] + 1)) continue;
      distances[from] = *distances[to] + 1;
      changed = true;
    }
  }
  return distances;
}

// --- shapes -----------------------------------------------------------------------------------------------------

inline GridShape grid(std::string kind, std::vector<std::uint32_t> extents, std::uint32_t capacity = 1) {
  const bool wraps = kind == "ring" || kind == "torus";
  return {std::move(kind), std::move(extents), wraps, capacity};
}

// Two processors that can reach each other in two ways, one that can be reached only through a processor, one alone.
inline GraphShape odd_graph() {
  GraphShape graph{4, {"b", "a", "x-1.y_Z"}, {}};
  const auto link = [&](std::uint32_t a, std::uint32_t b, std::uint32_t there, std::uint32_t back) {
    graph.channels.push_back({NodeId(a), NodeId(b), there});
    graph.channels.push_back({NodeId(b), NodeId(a), back});
  };
  link(5, 0, 2, 1);
  link(4, 0, 1, 7);
  link(1, 5, 1, 1);
  link(4, 1, 3, 3);
  link(1, 2, 1, 1);
  return graph;
}

// Processors in a circle, with a channel to the next one only; and one that leads out of it, and not back.
inline GraphShape directed_ring() {
  GraphShape graph{4, {"out"}, {}};
  for (std::uint32_t p = 0; p < 4; ++p) graph.channels.push_back({NodeId(p), NodeId((p + 1) % 4), p + 1});
  graph.channels.push_back({NodeId(2), NodeId(4), 2});
  return graph;
}

// One or more of every kind, and the edges of every kind.
inline std::vector<Shape> small_shapes() {
  std::vector<Shape> shapes = {
      FatTreeShape{2, {1}},
      FatTreeShape{2, {1, 2, 4}},
      FatTreeShape{2, {1, 1, 1, 1}},
      FatTreeShape{2, {2, 3, 3}},
      FatTreeShape{3, {1, 3}},
      FatTreeShape{3, {1, 1, 5}},
      FatTreeShape{4, {2, 2}},
      FatTreeShape{7, {9}},
      StarShape{1, 1},
      StarShape{2, 1},
      StarShape{6, 3},
      CompleteShape{1, 1},
      CompleteShape{2, 5},
      CompleteShape{6, 1},
      grid("mesh", {3, 4}),
      grid("mesh", {1, 3, 1}),
      grid("mesh", {2, 2, 3}, 4),
      grid("torus", {4, 3}),
      grid("torus", {2, 5}),
      grid("torus", {4, 4, 2}),
      grid("torus", {1, 1}),
      grid("hypercube", {2}),
      grid("hypercube", {2, 2, 2}),
      grid("hypercube", {2, 2, 2, 2}, 2),
      odd_graph(),
      directed_ring(),
      GraphShape{1, {}, {}},
  };
  for (std::uint32_t n = 1; n <= 7; ++n) {
    shapes.push_back(grid("ring", {n}));
    shapes.push_back(grid("line", {n}, n));
  }
  return shapes;
}

// --- random shapes: to be called inside a property ----------------------------------------------------------------

inline std::uint32_t between(std::uint32_t low, std::uint32_t high) { return *rc::gen::inRange(low, high + 1); }

inline FatTreeShape random_tree() {
  FatTreeShape tree;
  tree.arity = between(2, 4);
  std::uint32_t capacity = between(1, 2);
  for (std::uint32_t i = between(1, tree.arity == 2 ? 5 : 3); i > 0; --i) {
    tree.capacities.push_back(capacity);
    capacity *= *rc::gen::element(1U, tree.arity, 2U);
  }
  return tree;
}

inline GridShape random_grid() {
  const std::string kind = *rc::gen::element<std::string>("ring", "line", "mesh", "torus", "hypercube");
  const std::uint32_t capacity = *rc::gen::element(1U, 1U, 3U, 4294967295U);
  if (kind == "ring" || kind == "line") return grid(kind, {between(1, 12)}, capacity);
  std::vector<std::uint32_t> extents;
  for (std::uint32_t i = between(1, 4); i > 0; --i) extents.push_back(kind == "hypercube" ? 2 : between(1, 5));
  return grid(kind, extents, capacity);
}

inline GraphShape random_graph() {
  GraphShape graph;
  graph.processors = between(1, 8);
  const std::uint32_t switches = between(0, 5);
  for (std::uint32_t i = 0; i < switches; ++i) graph.switch_names.push_back("s" + std::to_string(switches - i));
  const std::uint32_t nodes = graph.processors + switches;
  std::set<std::pair<std::uint32_t, std::uint32_t>> links;
  for (std::uint32_t i = between(0, 2 * nodes); i > 0; --i) {
    const std::uint32_t a = between(0, nodes - 1);
    const std::uint32_t b = between(0, nodes - 1);
    if (a < b && links.insert({a, b}).second) {
      const std::uint32_t ways = between(1, 5);  // one way, the other, or mostly both
      if (ways != 1) graph.channels.push_back({NodeId(b), NodeId(a), between(1, 3)});
      if (ways != 2) graph.channels.push_back({NodeId(a), NodeId(b), between(1, 3)});
    }
  }
  return graph;
}

inline Shape random_shape() {
  switch (between(0, 4)) {
    case 0:
      return random_tree();
    case 1:
      return random_grid();
    case 2:
      return CompleteShape{between(1, 7), between(1, 3)};
    case 3:
      return StarShape{between(1, 7), between(1, 3)};
    default:
      return random_graph();
  }
}

inline Rules random_rules() {
  Rules rules;
  rules.duplex = *rc::gen::element(Duplex::full, Duplex::half);
  rules.ports = *rc::gen::element(Ports::multi, Ports::single);
  if (*rc::gen::element(true, false)) rules.queue.limit = between(0, 3);
  rules.switches = *rc::gen::element(Switching::copy, Switching::forward, Switching::reduce);
  return rules;
}

}  // namespace quadrille::test
