// Grids, hypercubes and complete graphs. On a grid a packet corrects one coordinate after another, the first first; in
// each it makes a run of channels, up (to larger coordinates) or down. With wraps it goes the shorter way round,
// upwards on a tie. While it moves in dimension d, the coordinates before d are the target's and those after it the
// source's: so its line is known by these, and its channel by the point of the line that it leaves.
//
// Example: mesh 3x4, from 1 = (0, 1) to 11 = (2, 3): dimension 0 up, two channels: points 0 and 1 of line 1; dimension
// 1 up, two channels: points 1 and 2 of line (2).
//
// A hypercube is the grid 2x2x…x2, so the highest bit is corrected first: bit d of s xor t is a channel, and before it
// come those of the bits above.
#include "model/crossings.h"

namespace quadrille {
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
};

Runs runs(const Dimension& d) {
  const Term from = coordinate(source(), d);
  const Term to = coordinate(target(), d);
  if (!d.wraps) return {maximum(to - from, 0), maximum(from - to, 0)};
  const Term around = (to - from) % d.extent;
  const Term upwards = at_most(Term(2) * around, d.extent);
  return {conditional(upwards, around, 0), conditional(upwards, 0, d.extent - around)};
}

// The run in one direction; `before`: channels of the dimensions before.
ChannelClass run(const Dimension& d, bool upwards, const Term& length, const Term& before, const Term& capacity) {
  const auto point = [&](const Term& moved) {
    const Term from = coordinate(source(), d);
    const Term x = upwards ? from + moved : from - moved;
    return d.wraps ? x % d.extent : x;
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

}  // namespace

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
  for (const Dimension& d : dimensions(extents, form.kind == "ring" || form.kind == "torus")) {
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
    before = before + lengths.up + lengths.down;
  }
  result.hops = before;
  return result;
}

std::optional<Crossings> hypercube_crossings(const FabricForm& form) {
  CrossingArguments arguments(form, "dimensions");
  const auto count = arguments.number("dimensions");
  const auto capacity = arguments.number("capacity", Term(1));
  if (!count || !capacity) return std::nullopt;
  const Term differ = bit_xor(source(), target());
  const Term bit = power(2, index());
  const Term above = power(2, index() + 1);
  Crossings result;
  result.parameters = arguments.parameters();
  result.processors = power(2, *count);
  result.valid = at_most(1, *count);
  result.hops = ones(differ);
  ChannelClass link;
  link.name = "link";
  link.last = *count - 1;
  link.crossed = equal(differ / bit % 2, 1);
  link.offset = ones(differ / above);
  link.from = target() / above * above + source() % above;
  link.to = target() / bit * bit + source() % bit;
  link.channel = {index(), link.from};
  link.capacity = *capacity;
  result.classes = {link};
  return result;
}

std::optional<Crossings> complete_crossings(const FabricForm& form) {
  CrossingArguments arguments(form, "nodes");
  const auto nodes = arguments.number("nodes");
  const auto capacity = arguments.number("capacity", Term(1));
  if (!nodes || !capacity) return std::nullopt;
  Crossings result;
  result.parameters = arguments.parameters();
  result.processors = *nodes;
  result.valid = at_most(1, *nodes);
  ChannelClass link;
  link.name = "link";
  link.crossed = !equal(source(), target());
  result.hops = conditional(link.crossed, 1, 0);
  link.channel = {source(), target()};
  link.capacity = *capacity;
  link.from = source();
  link.to = target();
  result.classes = {link};
  return result;
}

}  // namespace quadrille
