// Every shape lists its channels in the order of their numbers: node by node, the heads ascending. So no list is
// sorted, except the few neighbours of a grid point.
#include "model/fabric_shapes.h"

#include <fmt/format.h>

#include <algorithm>

namespace quadrille {
namespace {

constexpr std::uint64_t size_limit = max_fabric_size;

Diagnostic no_capacity(Span where) { return error_at(where, "capacity is 0; expected at least 1"); }

Channel channel(std::uint32_t from, std::uint32_t to, std::uint32_t capacity, std::uint32_t level = 0) {
  return {NodeId(from), NodeId(to), capacity, level};
}

// --- trees ------------------------------------------------------------------------------------------------------

// The channels of node j of level i: down to its children, then up to its parent.
void add_tree_node(const FatTreeShape& shape, std::uint32_t i, std::uint32_t j, Wiring& layout) {
  const std::uint32_t node = layout.level_starts[i] + j;
  if (i > 0) {
    const std::uint32_t first_child = layout.level_starts[i - 1] + j * shape.arity;
    for (std::uint32_t k = 0; k < shape.arity; ++k) {
      layout.channels.push_back(channel(node, first_child + k, shape.capacities[i - 1], i));
    }
  }
  if (i < shape.capacities.size()) {
    const std::uint32_t parent = layout.level_starts[i + 1] + j / shape.arity;
    layout.channels.push_back(channel(node, parent, shape.capacities[i], i + 1));
  }
}

std::optional<Diagnostic> fault_of_capacities(const std::vector<std::uint32_t>& capacities, Span where) {
  for (std::size_t i = 0; i < capacities.size(); ++i) {
    if (capacities[i] == 0)
      return error_at(where, fmt::format("capacity of level {} is 0; expected at least 1", i + 1));
    if (i == 0 || capacities[i] >= capacities[i - 1]) continue;
    return error_at(where, fmt::format("capacity of level {} is {}; expected at least {}, the capacity of level {}",
                                       i + 1, capacities[i], capacities[i - 1], i));
  }
  return std::nullopt;
}

Result<Wiring> lay_out_shape(const FatTreeShape& shape, Span where) {
  if (shape.arity < 2) return error_at(where, fmt::format("arity is {}; expected at least 2", shape.arity));
  if (shape.capacities.empty()) return error_at(where, "a fat tree has no levels; expected at least 1");
  const std::size_t levels = shape.capacities.size();
  std::uint64_t leaves = 1;
  std::uint64_t nodes = 1;
  for (std::size_t i = 0; i < levels; ++i) {
    leaves *= shape.arity;
    nodes += leaves;
    if (2 * (nodes - 1) <= size_limit) continue;
    return too_large(where, fmt::format("a fat tree of arity {} with {} levels", shape.arity, levels));
  }
  if (auto fault = fault_of_capacities(shape.capacities, where)) return *fault;

  Wiring layout;
  layout.processors = static_cast<std::uint32_t>(leaves);
  layout.nodes = static_cast<std::uint32_t>(nodes);
  layout.level_starts.push_back(0);
  for (std::uint64_t width = leaves; width > 0; width /= shape.arity) {
    layout.level_starts.push_back(layout.level_starts.back() + static_cast<std::uint32_t>(width));
  }
  layout.channels.reserve(2 * (nodes - 1));
  for (std::uint32_t i = 0; i <= levels; ++i) {
    const std::uint32_t width = layout.level_starts[i + 1] - layout.level_starts[i];
    for (std::uint32_t j = 0; j < width; ++j) add_tree_node(shape, i, j, layout);
  }
  return layout;
}

Result<Wiring> lay_out_shape(const StarShape& shape, Span where) {
  if (shape.processors == 0) return error_at(where, "a star has no processors; expected at least 1");
  if (shape.capacity == 0) return no_capacity(where);
  if (2 * std::uint64_t{shape.processors} > size_limit) {
    return too_large(where, fmt::format("a star of {} processors", shape.processors));
  }
  Wiring layout;
  layout.processors = shape.processors;
  layout.nodes = shape.processors + 1;
  layout.level_starts = {0, shape.processors, shape.processors + 1};
  layout.channels.reserve(2 * std::size_t{shape.processors});
  for (std::uint32_t p = 0; p < shape.processors; ++p) {
    layout.channels.push_back(channel(p, shape.processors, shape.capacity, 1));
  }
  for (std::uint32_t p = 0; p < shape.processors; ++p) {
    layout.channels.push_back(channel(shape.processors, p, shape.capacity, 1));
  }
  return layout;
}

// --- grids ------------------------------------------------------------------------------------------------------

// One dimension of a grid: how many points, and how far apart the numbers of neighbouring ones are.
struct Dimension {
  std::uint32_t extent;
  std::uint32_t stride;
  bool wraps;
};

std::optional<Diagnostic> fault_of_grid(const GridShape& shape, Span where) {
  const bool one_dimensional = shape.kind == "ring" || shape.kind == "line";
  const bool wraps = shape.kind == "ring" || shape.kind == "torus";
  if (!one_dimensional && !wraps && shape.kind != "mesh" && shape.kind != "hypercube") {
    return error_at(where, fmt::format("unknown grid `{}`; expected ring, line, mesh, torus or hypercube", shape.kind));
  }
  if (shape.extents.empty()) {
    return error_at(where, fmt::format("a {} has no dimensions; expected at least 1", shape.kind));
  }
  if (one_dimensional && shape.extents.size() != 1) {
    return error_at(where, fmt::format("a {} has {} dimensions; expected 1", shape.kind, shape.extents.size()));
  }
  if (wraps != shape.wraps) {
    return error_at(where, fmt::format("a {} {} wraps; expected {}", shape.kind, shape.wraps ? "with" : "without",
                                       shape.wraps ? "none" : "wraps"));
  }
  for (const std::uint32_t extent : shape.extents) {
    if (extent == 0) return error_at(where, "a dimension has 0 points; expected at least 1");
    if (shape.kind == "hypercube" && extent != 2) {
      return error_at(where, fmt::format("a dimension of a hypercube has {} points; expected 2", extent));
    }
  }
  if (shape.capacity == 0) return no_capacity(where);
  return std::nullopt;
}

// Directed channels of a grid of n points.
std::uint64_t count_channels(const std::vector<Dimension>& dimensions, std::uint64_t n) {
  std::uint64_t count = 0;
  for (const Dimension& d : dimensions) count += 2 * (n / d.extent) * (d.wraps ? d.extent : d.extent - 1);
  return count;
}

void add_grid_point(std::uint32_t point, const std::vector<Dimension>& dimensions, std::uint32_t capacity,
                    std::vector<std::uint32_t>& neighbours, std::vector<Channel>& channels) {
  neighbours.clear();
  for (const Dimension& d : dimensions) {
    const std::uint32_t x = point / d.stride % d.extent;
    const std::uint32_t round = (d.extent - 1) * d.stride;
    if (x + 1 < d.extent) neighbours.push_back(point + d.stride);
    if (x > 0) neighbours.push_back(point - d.stride);
    if (d.wraps && x == 0) neighbours.push_back(point + round);
    if (d.wraps && x + 1 == d.extent) neighbours.push_back(point - round);
  }
  std::sort(neighbours.begin(), neighbours.end());
  for (const std::uint32_t neighbour : neighbours) channels.push_back(channel(point, neighbour, capacity));
}

Result<Wiring> refused_grid(const GridShape& shape, Span where) {
  if (shape.kind == "hypercube") {
    return too_large(where, fmt::format("a hypercube of {} dimensions", shape.extents.size()));
  }
  return too_large(where, fmt::format("a {} of {} points", shape.kind, fmt::join(shape.extents, "x")));
}

Result<Wiring> lay_out_shape(const GridShape& shape, Span where) {
  if (auto fault = fault_of_grid(shape, where)) return *fault;
  std::uint64_t n = 1;
  std::vector<Dimension> dimensions;
  for (auto extent = shape.extents.rbegin(); extent != shape.extents.rend(); ++extent) {
    if (*extent > 1) dimensions.push_back({*extent, static_cast<std::uint32_t>(n), shape.wraps && *extent > 2});
    n *= *extent;
    if (n > size_limit) return refused_grid(shape, where);
  }
  const std::uint64_t channels = count_channels(dimensions, n);
  if (channels > size_limit) return refused_grid(shape, where);

  Wiring layout;
  layout.processors = layout.nodes = static_cast<std::uint32_t>(n);
  layout.channels.reserve(channels);
  std::vector<std::uint32_t> neighbours;
  for (std::uint32_t point = 0; point < n; ++point) {
    add_grid_point(point, dimensions, shape.capacity, neighbours, layout.channels);
  }
  return layout;
}

// --- complete graphs --------------------------------------------------------------------------------------------

Result<Wiring> lay_out_shape(const CompleteShape& shape, Span where) {
  if (shape.processors == 0) return error_at(where, "a complete graph has no processors; expected at least 1");
  if (shape.capacity == 0) return no_capacity(where);
  const std::uint64_t n = shape.processors;
  if (n > size_limit || n * (n - 1) > size_limit) {
    return too_large(where, fmt::format("a complete graph of {} processors", n));
  }
  Wiring layout;
  layout.processors = layout.nodes = shape.processors;
  layout.channels.reserve(n * (n - 1));
  for (std::uint32_t from = 0; from < n; ++from) {
    for (std::uint32_t to = 0; to < n; ++to) {
      if (from != to) layout.channels.push_back(channel(from, to, shape.capacity));
    }
  }
  return layout;
}

Result<Wiring> lay_out_shape(const GraphShape& shape, Span where) { return lay_out_graph(shape, where); }

}  // namespace

Diagnostic too_large(Span where, const std::string& what) {
  return error_at(where, fmt::format("{} is too large; a fabric has at most 2^26 nodes and 2^26 channels", what));
}

Result<Wiring> lay_out(const Shape& shape, Span where) {
  return std::visit([&](const auto& kind) { return lay_out_shape(kind, where); }, shape);
}

}  // namespace quadrille
