// Stars: processors around one switch, as a single crossbar or the GPUs of an NVSwitch.
//
//   star:3      0 - 1.0 - 1         the switch is the last node, and the only one of level 1
//                    |
//                    2
#include "model/topologies/star.h"

#include <fmt/format.h>

#include "model/topologies/parameters.h"
#include "model/topologies/permutations.h"
#include "model/topologies/tree.h"

namespace quadrille {

std::vector<TopologyArgument> Star::arguments() const {
  std::vector<TopologyArgument> all{{"nodes", tree_.arity, {}, true}};
  if (tree_.capacities.front() != 1) all.push_back({"capacity", tree_.capacities.front()});
  return all;
}

std::optional<WiringSize> Star::size() const { return topologies::tree_size(tree_); }

Result<Wiring> Star::wiring(Span where) const {
  if (tree_.arity == 0) return error_at(where, "a star has no processors; expected at least 1", Code::range);
  if (tree_.capacities.front() == 0) return error_at(where, "capacity is 0; expected at least 1", Code::range);
  return topologies::tree_wiring(tree_, where, fmt::format("a star of {} processors", tree_.arity));
}

std::shared_ptr<const Routes> Star::routes(const Fabric&) const { return topologies::tree_routes(tree_); }

std::vector<CutFamily> Star::cuts(const Fabric& fabric) const { return topologies::tree_cuts(tree_, fabric); }

std::optional<std::vector<Symmetry>> Star::symmetries(const Fabric& fabric) const {
  return topologies::exchanges(fabric);
}

namespace topologies {
namespace {

using namespace terms;

std::optional<Crossings> star_crossings(const FabricForm& form) {
  CrossingArguments arguments(form, "nodes");
  const auto nodes = arguments.number("nodes");
  const auto capacity = arguments.number("capacity", Term(1));
  if (!nodes || !capacity) return std::nullopt;
  const Term apart = !equal(source(), target());
  Crossings result;
  result.parameters = arguments.parameters();
  result.name = "star";
  result.processors = *nodes;
  result.valid = at_most(1, *nodes);
  result.hops = conditional(apart, 2, 0);
  const auto link = [&](const char* name, const Term& leaf, std::int64_t offset, const Term& from, const Term& to) {
    ChannelClass each;
    each.name = name;
    each.crossed = apart;
    each.channel = {leaf};
    each.offset = offset;
    each.capacity = *capacity;
    each.from = from;
    each.to = to;
    (offset == 0 ? each.to_switch : each.from_switch) = {1, 0};
    return each;
  };
  result.classes = {link("up", source(), 0, source(), *nodes), link("down", target(), 1, *nodes, target())};
  result.capacities = TermCapacities{*capacity};
  return result;
}

}  // namespace

TopologyFamily star() {
  return family_of_nodes<Star>("star", "processors around one switch", max_fabric_size, star_crossings);
}

}  // namespace topologies
}  // namespace quadrille
