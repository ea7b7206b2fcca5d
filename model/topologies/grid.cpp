// Grids: rings, lines, meshes, tori and hypercubes; their families are in grid_families.cpp and hypercube.cpp.
//
//   mesh:2x3    0 - 1 - 2        torus: each row and column of three or more is closed to a ring, 0 - 2 too
//               |   |   |        hypercube:3 is the grid 2x2x2: links where one bit of the numbers differs
//               3 - 4 - 5
//
// Routes are dimension-ordered: one dimension after another, the first (slowest counting) first, in each the shorter
// way round, upwards (to increasing coordinates) on a tie. So in a hypercube the highest bit is corrected first (e-cube
// routing; Sullivan, Bashkow: A large scale, homogeneous, fully distributed parallel machine, 1977).
#include "model/topologies/grid.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "model/layout/positions.h"
#include "model/topologies/cycles.h"
#include "model/topologies/permutations.h"

namespace quadrille {
namespace {

using topologies::NodePermutation;

// One dimension of a grid: how many points, and how far apart the numbers of neighbouring ones are.
struct Dimension {
  std::uint32_t extent;
  std::uint32_t stride;
  bool wraps;

  std::uint32_t coordinate(NodeId node) const { return node.value / stride % extent; }

  std::uint32_t next(std::uint32_t x, bool upwards) const {
    if (upwards) return x + 1 == extent ? 0 : x + 1;
    return x == 0 ? extent - 1 : x - 1;
  }

  struct SignedDistance {
    bool upwards;
    std::uint32_t length;
  };

  // With wraps the shorter way, upwards on a tie. (Of a wrapped dimension of two points, one link serves both ways.)
  SignedDistance signed_distance(std::uint32_t from, std::uint32_t to) const {
    if (!wraps) return from <= to ? SignedDistance{true, to - from} : SignedDistance{false, from - to};
    const std::uint32_t up = to >= from ? to - from : to + extent - from;
    return up <= extent - up ? SignedDistance{true, up} : SignedDistance{false, extent - up};
  }
};

class GridRoutes final : public Routes {
 public:
  GridRoutes(Fabric fabric, const Grid& grid) : fabric_(std::move(fabric)) {
    std::uint32_t stride = fabric_.processors();
    for (const std::uint32_t extent : grid.extents()) {
      stride /= extent;
      if (extent > 1) dimensions_.push_back({extent, stride, grid.wraps()});
    }
  }

  bool append(NodeId source, NodeId target, std::vector<ChannelId>& channels) const override {
    NodeId at = source;
    for (const Dimension& d : dimensions_) {
      std::uint32_t x = d.coordinate(at);
      const Dimension::SignedDistance signed_distance = d.signed_distance(x, d.coordinate(target));
      for (std::uint32_t i = 0; i < signed_distance.length; ++i) {
        const std::uint32_t next_x = d.next(x, signed_distance.upwards);
        const NodeId next(at.value - x * d.stride + next_x * d.stride);
        channels.push_back(*fabric_.channel_between(at, next));
        at = next;
        x = next_x;
      }
    }
    return true;
  }

  std::optional<std::uint32_t> distance(NodeId source, NodeId target) const override {
    std::uint32_t sum = 0;
    for (const Dimension& d : dimensions_) sum += d.signed_distance(d.coordinate(source), d.coordinate(target)).length;
    return sum;
  }

 private:
  Fabric fabric_;
  std::vector<Dimension> dimensions_;
};

// The heads ascending.
void add_point(std::uint32_t point, const std::vector<Dimension>& dimensions, std::uint32_t capacity,
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
  for (const std::uint32_t head : neighbours) channels.push_back({NodeId(point), NodeId(head), capacity});
}

// One half of the grid along a dimension.
Cut half(const Fabric& fabric, std::string_view kind, std::size_t dimension, const Dimension& d) {
  Cut cut{std::vector<bool>(fabric.processors()), 0, {}};
  for (std::uint32_t p = 0; p < fabric.processors(); ++p) cut.inside[p] = d.coordinate(NodeId(p)) < d.extent / 2;
  for (std::uint32_t id = 0; id < fabric.channels(); ++id) {
    const Channel& channel = fabric.channel(ChannelId{id});
    if (cut.inside[channel.from.value] == cut.inside[channel.to.value]) continue;
    (cut.inside[channel.from.value] ? cut.out : cut.in).emplace_back(id);
  }
  cut.name = fmt::format("half of the {} along dimension {}", kind, dimension);
  return cut;
}

}  // namespace

Grid::Grid(std::string kind, std::vector<std::uint32_t> extents, std::uint32_t capacity)
    : kind_(std::move(kind)),
      extents_(std::move(extents)),
      wraps_(kind_ == "ring" || kind_ == "torus"),
      capacity_(capacity) {}

std::vector<TopologyArgument> Grid::arguments() const {
  std::vector<TopologyArgument> all;
  if (kind_ == "hypercube") {
    all.push_back({"dimensions", static_cast<std::uint32_t>(extents_.size()), {}, true});
  } else if (kind_ == "ring" || kind_ == "line") {
    all.push_back({"nodes", extents_.front(), {}, true});
  } else {
    all.push_back({"extents", extents_, {}, true});
  }
  if (capacity_ != 1) all.push_back({"capacity", capacity_});
  return all;
}

std::optional<Diagnostic> Grid::fault(Span where) const {
  const bool one_dimensional = kind_ == "ring" || kind_ == "line";
  if (!one_dimensional && !wraps_ && kind_ != "mesh" && kind_ != "hypercube") {
    return error_at(where, fmt::format("unknown grid `{}`; expected ring, line, mesh, torus or hypercube", kind_),
                    Code::name);
  }
  if (extents_.empty())
    return error_at(where, fmt::format("a {} has no dimensions; expected at least 1", kind_), Code::range);
  if (one_dimensional && extents_.size() != 1) {
    return error_at(where, fmt::format("a {} has {} dimensions; expected 1", kind_, extents_.size()), Code::range);
  }
  for (const std::uint32_t extent : extents_) {
    if (extent == 0) return error_at(where, "a dimension has 0 points; expected at least 1", Code::range);
    if (kind_ == "hypercube" && extent != 2) {
      return error_at(where, fmt::format("a dimension of a hypercube has {} points; expected 2", extent), Code::range);
    }
  }
  if (capacity_ == 0) return error_at(where, "capacity is 0; expected at least 1", Code::range);
  return std::nullopt;
}

Diagnostic Grid::refused(Span where) const {
  if (kind_ == "hypercube") return too_large(where, fmt::format("a hypercube of {} dimensions", extents_.size()));
  return too_large(where, fmt::format("a {} of {} points", kind_, fmt::join(extents_, "x")));
}

std::optional<WiringSize> Grid::size() const {
  WiringSize size{1, 0};
  for (const std::uint64_t extent : extents_) {
    size.nodes *= extent;
    if (size.too_large()) return size;
  }
  for (const std::uint64_t extent : extents_) {
    if (extent < 2) continue;
    size.channels += 2 * (size.nodes / extent) * (wraps_ && extent > 2 ? extent : extent - 1);
  }
  return size;
}

Result<Wiring> Grid::wiring(Span where) const {
  if (auto wrong = fault(where)) return *wrong;
  const WiringSize all = *size();
  if (all.too_large()) return refused(where);
  const auto n = static_cast<std::uint32_t>(all.nodes);
  std::uint32_t stride = 1;
  std::vector<Dimension> dimensions;
  for (auto extent = extents_.rbegin(); extent != extents_.rend(); ++extent) {
    if (*extent > 1) dimensions.push_back({*extent, stride, wraps_ && *extent > 2});
    stride *= *extent;
  }

  Wiring wiring;
  wiring.processors = wiring.nodes = n;
  wiring.channels.reserve(all.channels);
  std::vector<std::uint32_t> neighbours;
  for (std::uint32_t point = 0; point < n; ++point) {
    add_point(point, dimensions, capacity_, neighbours, wiring.channels);
  }
  return wiring;
}

std::shared_ptr<const Routes> Grid::routes(const Fabric& fabric) const {
  return std::make_shared<GridRoutes>(fabric, *this);
}

bool Grid::processors_alike() const {
  return wraps_ || std::ranges::all_of(extents_, [](std::uint32_t extent) { return extent <= 2; });
}

std::vector<NodePosition> Grid::positions(const Fabric&) const {
  if (kind_ == "hypercube") return layout::cube(static_cast<std::uint32_t>(extents_.size()));
  if (kind_ == "ring") return layout::circle(extents_.front());
  return layout::grid(extents_);
}

std::vector<std::uint32_t> Grid::shifts() const {
  return wraps_ || kind_ == "hypercube" ? extents_ : std::vector<std::uint32_t>();
}

std::optional<std::vector<std::uint32_t>> Grid::hamiltonian_cycle() const {
  if (!wraps_) return mesh_cycle(extents_);
  Cycle cycle = {0};
  for (const std::uint32_t extent : extents_) {
    Cycle ring(extent);
    std::iota(ring.begin(), ring.end(), 0U);
    cycle = product_of_cycles(cycle, ring);
  }
  return cycle;
}

std::vector<CutFamily> Grid::cuts(const Fabric& fabric) const {
  std::vector<CutFamily> families;
  std::uint32_t stride = fabric.processors();
  for (std::size_t dimension = 0; dimension < extents_.size(); ++dimension) {
    const std::uint32_t extent = extents_[dimension];
    stride /= extent;
    if (extent == 1) continue;
    const Dimension d{extent, stride, wraps_};
    families.push_back(
        {1, [fabric, kind = kind_, dimension, d](std::uint64_t) { return half(fabric, kind, dimension, d); },
         [](std::uint32_t) { return std::uint64_t{0}; }});
  }
  return families;
}

// Shifts along dimensions that wrap, reflections of those that do not.
std::optional<std::vector<Symmetry>> Grid::symmetries(const Fabric& fabric) const {
  std::vector<NodePermutation> shifts;
  std::vector<NodePermutation> reflections;
  std::uint32_t weight = fabric.processors();
  for (const std::uint32_t extent : extents_) {
    weight /= extent;
    if (extent < 2) continue;
    if (wraps_ || extent == 2) {
      shifts.push_back(topologies::next_digit(fabric, weight, extent));
    } else {
      reflections.push_back(topologies::on_processors(fabric, [&](std::uint32_t p) {
        const std::uint32_t digit = p / weight % extent;
        return p - digit * weight + (extent - 1 - digit) * weight;
      }));
    }
  }
  std::vector<NodePermutation> both = shifts;
  both.insert(both.end(), reflections.begin(), reflections.end());
  std::vector<Symmetry> all{{shifts.empty() ? "reflections" : "shifts along every dimension", both}};
  for (std::size_t i = 0; i < both.size(); ++i) {
    all.push_back({fmt::format("one dimension only, number {}", i), {both[i]}});
    all.push_back({fmt::format("one dimension only, number {}, two at a time", i), {topologies::twice(both[i])}});
  }
  for (NodePermutation& shift : shifts) shift = topologies::twice(shift);
  if (shifts.size() > 1) all.push_back({fmt::format("{}, two at a time", all.front().name), std::move(shifts)});
  return all;
}

}  // namespace quadrille
