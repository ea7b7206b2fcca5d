// Hypercubes: 2^d processors, linked where one bit of their numbers differs. The grid 2x2x…x2, so the highest bit is
// corrected first: bit i of s xor t is a channel, and before it come those of the bits above.
//
// Example: hypercube:3, from 1 = 001 to 6 = 110: bit 2, 001->101; bit 1, 101->111; bit 0, 111->110.
#include "model/topologies/grid.h"
#include "model/topologies/parameters.h"

namespace quadrille::topologies {
namespace {

using namespace terms;

constexpr std::uint32_t most_dimensions = 26;  // wiring() knows the exact limit

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
  result.name = "hypercube";
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
  const Term half = power(2, *count - 1);
  result.capacities = TermCapacities{*count * *capacity, TermHalves{half, half * *capacity}};
  return result;
}

}  // namespace

TopologyFamily hypercube() {
  return {"hypercube",
          {},
          {size_parameter("dimensions", FabricParameter::Kind::number, most_dimensions, "bits of a processor's number"),
           capacity_parameter()},
          "2^4 processors, linked where one bit differs",
          "hypercube:4",
          [](FabricArguments& given) {
            std::vector<std::uint32_t> extents(given.number("dimensions"), 2);
            return std::make_shared<Grid>("hypercube", std::move(extents), given.number("capacity"));
          },
          hypercube_crossings};
}

}  // namespace quadrille::topologies
