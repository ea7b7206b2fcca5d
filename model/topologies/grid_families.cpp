// The families of grids with arbitrary extents: ring, line, mesh, torus; and their crossings.
//
// On a grid a packet corrects one coordinate after another, the first first; in each it makes a run of channels, up (to
// larger coordinates) or down. With wraps it goes the shorter way round, upwards on a tie. While it moves in dimension
// d, the coordinates before d are the target's and those after it the source's: so its line is known by these, and its
// channel by the point of the line that it leaves.
//
// Example: mesh 3x4, from 1 = (0, 1) to 11 = (2, 3): dimension 0 up, two channels: points 0 and 1 of line 1; dimension
// 1 up, two channels: points 1 and 2 of line (2).
#include "model/topologies/grid.h"
#include "model/topologies/parameters.h"

namespace quadrille::topologies {
namespace {

using namespace terms;

struct Dimension {
  Term extent;
  Term stride;  // between neighbours; 1 for the last
  bool first = false;
  bool last = false;
  bool wraps = false;
};

Term coordinate(const Term& node, const Dimension& d) {
  const Term outer = d.last ? node : node / d.stride;
  return d.first ? outer : outer % d.extent;
}

// How many channels the packet crosses in the dimension, upwards and downwards: at most one is not 0.
struct Runs {
  Term up, down;
  Term whole;  // their sum
};

Runs runs(const Dimension& d) {
  const Term from = coordinate(source(), d);
  const Term to = coordinate(target(), d);
  if (!d.wraps) return {maximum(to - from, 0), maximum(from - to, 0), maximum(to - from, from - to)};
  const Term around = conditional(less(to, from), to - from + d.extent, to - from);
  const Term upwards = at_most(Term(2) * around, d.extent);
  return {conditional(upwards, around, 0), conditional(upwards, 0, d.extent - around),
          conditional(upwards, around, d.extent - around)};
}

// The run in one direction; `before`: channels of the dimensions before.
ChannelClass run(const Dimension& d, bool upwards, const Term& length, const Term& before, const Term& capacity) {
  const auto point = [&](const Term& moved) {
    const Term from = coordinate(source(), d);
    Term x = upwards ? from + moved : from - moved;
    if (!d.wraps) return x;
    return upwards ? conditional(less(x, d.extent), x, x - d.extent) : conditional(less(x, 0), x + d.extent, x);
  };
  // The coordinates before it, of the target; and those after it, of the source.
  const Term line = d.first ? Term(0) : target() / (d.extent * d.stride);
  const Term rest = d.last ? Term(0) : source() % d.stride;
  const auto node = [&](const Term& x) {
    const Term outer = d.first ? x : line * d.extent + x;
    return d.last ? outer : outer * d.stride + rest;
  };
  ChannelClass result;
  result.first = 0;
  result.last = length - 1;
  result.offset = before + index();
  result.channel = {point(index())};
  if (!d.first) result.channel.push_back(line);
  if (!d.last) result.channel.push_back(rest);
  result.capacity = capacity;
  result.from = node(point(index()));
  result.to = node(point(index() + 1));
  return result;
}

std::vector<Dimension> dimensions(const std::vector<Term>& extents, bool wraps) {
  std::vector<Dimension> result(extents.size());
  Term stride = 1;
  for (std::size_t i = extents.size(); i-- > 0;) {
    result[i] = {extents[i], stride, i == 0, i + 1 == extents.size(), wraps};
    stride = extents[i] * stride;
  }
  return result;
}

// The neighbours of processor source() in the dimension.
Term neighbours(const Dimension& d) {
  if (d.wraps) return minimum(d.extent - 1, 2);
  const Term at = coordinate(source(), d);
  return conditional(less(0, at), 1, 0) + conditional(less(at, d.extent - 1), 1, 0);
}

// The halves differ in the first coordinate.
TermCapacities capacities(const std::vector<Dimension>& dimensions, const Term& capacity) {
  Term lanes = 0;
  for (const Dimension& d : dimensions) lanes = lanes + neighbours(d);
  const Dimension& first = dimensions.front();
  const Term between = first.wraps ? minimum(first.extent - 1, 2) : Term(1);
  return {lanes * capacity, TermHalves{first.extent / 2 * first.stride, first.stride * between * capacity}};
}

std::optional<Crossings> grid_crossings(const FabricForm& form) {
  const bool line = form.kind == "ring" || form.kind == "line";
  CrossingArguments arguments(form, line ? "nodes" : "extents");
  const std::vector<Term> extents = arguments.numbers(line ? "nodes" : "extents");
  const auto capacity = arguments.number("capacity", Term(1));
  if (extents.empty() || (line && extents.size() != 1) || !capacity) return std::nullopt;
  Crossings result;
  result.parameters = arguments.parameters();
  result.processors = 1;
  Term before = 0;
  result.name = form.kind;
  const std::vector<Dimension> all = dimensions(extents, form.kind == "ring" || form.kind == "torus");
  result.capacities = capacities(all, *capacity);
  for (const Dimension& d : all) {
    result.processors = result.processors * d.extent;
    result.valid = both(result.valid, at_most(1, d.extent));
    const Runs lengths = runs(d);
    const auto number = result.classes.size() / 2;
    for (const bool upwards : {true, false}) {
      ChannelClass each = run(d, upwards, upwards ? lengths.up : lengths.down, before, *capacity);
      each.name = upwards ? "up" : "down";
      if (extents.size() > 1) each.name = "dimension " + std::to_string(number) + " " + each.name;
      result.classes.push_back(std::move(each));
    }
    before = before + lengths.whole;
  }
  result.hops = before;
  return result;
}

TopologyFamily of_nodes(const std::string& kind, std::string summary) {
  return {kind,
          {},
          {size_parameter("nodes", FabricParameter::Kind::number, max_fabric_size, "processors"), capacity_parameter()},
          std::move(summary),
          kind + ":8",
          [kind](FabricArguments& given) {
            std::vector<std::uint32_t> extents{given.number("nodes")};
            return std::make_shared<Grid>(kind, std::move(extents), given.number("capacity"));
          },
          grid_crossings};
}

TopologyFamily of_extents(const std::string& kind, std::string summary, std::string example) {
  return {kind,
          {},
          {size_parameter("extents", FabricParameter::Kind::numbers, max_fabric_size, "points of each dimension"),
           capacity_parameter()},
          std::move(summary),
          std::move(example),
          [kind](FabricArguments& given) {
            std::vector<std::uint32_t> extents = given.numbers("extents");
            return std::make_shared<Grid>(kind, std::move(extents), given.number("capacity"));
          },
          grid_crossings};
}

}  // namespace

TopologyFamily ring() { return of_nodes("ring", "processors in a circle"); }
TopologyFamily line() { return of_nodes("line", "processors in a row"); }
TopologyFamily mesh() { return of_extents("mesh", "processors at the points of a grid", "mesh:3x4"); }
TopologyFamily torus() { return of_extents("torus", "a grid whose dimensions are rings", "torus:4x4x2"); }

}  // namespace quadrille::topologies
