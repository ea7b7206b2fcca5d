// What topologies say of themselves, against their nodes and channels.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/distances.h"
#include "model/families.h"
#include "model/route.h"
#include "tests/model/shapes.h"
#include "verifier/certificate/formulas/trees.h"

namespace {

using namespace quadrille;
using namespace quadrille::test;

using NodePermutation = std::vector<std::uint32_t>;

// Whether the permutation of the nodes keeps processors, channels and their capacities.
bool is_automorphism(const Fabric& fabric, const NodePermutation& permutation) {
  if (std::set<std::uint32_t>(permutation.begin(), permutation.end()).size() != fabric.nodes()) return false;
  return std::ranges::all_of(fabric.all_channels(), [&](const Channel& channel) {
    const NodeId from(permutation[channel.from.value]);
    const NodeId to(permutation[channel.to.value]);
    const auto image = fabric.channel_between(from, to);
    return fabric.is_processor(channel.from) == fabric.is_processor(from) && image &&
           fabric.channel(*image).capacity == channel.capacity;
  });
}

std::uint32_t shifted(std::uint32_t p, std::uint32_t x, const std::vector<std::uint32_t>& extents) {
  std::uint32_t sum = 0;
  std::uint32_t weight = 1;
  for (const std::uint32_t extent : extents) weight *= extent;
  for (const std::uint32_t extent : extents) {
    weight /= extent;
    sum += (p / weight + x / weight) % extent * weight;
  }
  return sum;
}

// The processors on the default route, each shifted by x.
std::vector<std::uint32_t> processors_on_route(const Fabric& fabric, std::uint32_t from, std::uint32_t to,
                                               std::uint32_t x) {
  const std::vector<std::uint32_t> extents = fabric.topology().shifts();
  std::vector<ChannelId> route;
  REQUIRE(Router(fabric).append_route(NodeId(from), NodeId(to), route));
  std::vector<std::uint32_t> processors;
  for (const ChannelId id : route) {
    const NodeId node = fabric.channel(id).to;
    if (fabric.is_processor(node)) processors.push_back(shifted(node.value, x, extents));
  }
  return processors;
}

// The channels from nodes for which `nodes` says `from` to the others, by number.
std::vector<ChannelId> channels_between(const Fabric& fabric, const std::vector<bool>& nodes, bool from) {
  std::vector<ChannelId> channels;
  for (ChannelId id(0); id.value < fabric.channels(); ++id.value) {
    const Channel& channel = fabric.channel(id);
    if (nodes[channel.from.value] == from && nodes[channel.to.value] != from) channels.push_back(id);
  }
  return channels;
}

}  // namespace

TEST_CASE("all shortest routes are found, each once, and the default one is among them") {
  for (const Shape& shape : small_shapes()) {
    const Fabric fabric = *fabric_of(shape);
    CAPTURE(fabric.notation());
    const Router router(fabric);
    for (NodeId target(0); target.value < fabric.nodes(); ++target.value) {
      const auto hops = distances(fabric, target, Direction::to);
      std::vector<std::uint64_t> ways(fabric.nodes());  // counted from the target outwards
      for (std::uint32_t distance = 0; distance < fabric.nodes(); ++distance) {
        for (NodeId node(0); node.value < fabric.nodes(); ++node.value) {
          if (hops[node.value] != distance) continue;
          if (distance == 0) ways[node.value] = 1;
          for (const ChannelId id : fabric.channels_from(node)) {
            const NodeId next = fabric.channel(id).to;
            if (hops[next.value] + 1 == distance) ways[node.value] += ways[next.value];
          }
        }
      }
      for (NodeId source(0); source.value < fabric.nodes(); ++source.value) {
        const auto all = router.shortest_routes(source, target, 1000);
        const std::set<std::vector<ChannelId>> different(all.begin(), all.end());
        CHECK(all.size() == ways[source.value]);
        CHECK(different.size() == all.size());
        std::vector<ChannelId> usual;
        const bool found = router.append_route(source, target, usual);
        CHECK(found == different.contains(usual));
        if (all.size() > 1) CHECK(router.shortest_routes(source, target, 1).size() == 1);
      }
    }
  }
}

TEST_CASE("proposed symmetries are automorphisms") {
  for (const Shape& shape : small_shapes()) {
    const Fabric fabric = *fabric_of(shape);
    CAPTURE(fabric.notation());
    const auto symmetries = fabric.topology().symmetries(fabric);
    if (fabric.processors() < 2 || !symmetries) continue;
    for (const Symmetry& symmetry : *symmetries) {
      CAPTURE(symmetry.name);
      for (const NodePermutation& generator : symmetry.generators) CHECK(is_automorphism(fabric, generator));
    }
  }
}

TEST_CASE("shifts keep links and default routes") {
  for (const Shape& shape : small_shapes()) {
    const Fabric fabric = *fabric_of(shape);
    CAPTURE(fabric.notation());
    const std::vector<std::uint32_t> extents = fabric.topology().shifts();
    const std::uint32_t n = fabric.processors();
    if (extents.empty() || n > 16) continue;
    std::uint32_t product = 1;
    for (const std::uint32_t extent : extents) product *= extent;
    CHECK(product == n);
    for (std::uint32_t x = 1; x < n; ++x) {
      for (std::uint32_t p = 0; p < n; ++p) {
        const std::uint32_t q = (p + x) % n;
        CHECK(processors_on_route(fabric, p, q, x) ==
              processors_on_route(fabric, shifted(p, x, extents), shifted(q, x, extents), 0));
      }
    }
  }
}

TEST_CASE("a cut's channels are those that cross it") {
  for (const Shape& shape : small_shapes()) {
    const Fabric fabric = *fabric_of(shape);
    CAPTURE(fabric.notation());
    for (const CutFamily& family : fabric.topology().cuts(fabric)) {
      for (std::uint64_t index = 0; index < family.count; ++index) {
        const Cut cut = family.cut(index);
        CAPTURE(cut.name);
        std::vector<bool> inside = cut.inside;  // a tree's switches go with the leaves below them
        for (NodeId node(fabric.processors()); node.value < fabric.nodes(); ++node.value) {
          const bool below = cut.level > 0 && fabric.level(node) < cut.level;
          const auto first = below ? distances(fabric, node, Direction::from) : std::vector<std::uint32_t>();
          const auto leaf = std::find(first.begin(), first.end(), fabric.level(node)) - first.begin();
          inside.push_back(below && cut.inside[static_cast<std::size_t>(leaf)]);
        }
        CHECK(cut.out == channels_between(fabric, inside, true));
        CHECK(cut.in == channels_between(fabric, inside, false));
      }
      for (std::uint32_t p = 0; p < fabric.processors(); ++p) {
        CHECK((family.count == 1 || family.cut(family.around(p)).inside[p]));
      }
    }
  }
}

TEST_CASE("the judge of certificates reads the same trees from nodes and channels") {
  for (const Shape& shape : small_shapes()) {
    const Fabric fabric = *fabric_of(shape);
    CAPTURE(fabric.notation());
    const CompleteTree* tree = fabric.topology().tree();
    const auto read = certificate::tree_of(fabric);
    REQUIRE(read.has_value() == (tree != nullptr));
    if (tree == nullptr) continue;
    CHECK(read->arity == tree->arity);
    CHECK(read->levels == tree->levels());
  }
}

namespace {

// A topology whose wiring is whatever it is told.
class Told final : public Topology {
 public:
  explicit Told(Wiring wiring) : wiring_(std::move(wiring)) {}
  std::string_view family() const override { return "told"; }
  std::vector<TopologyArgument> arguments() const override { return {}; }
  Result<Wiring> wiring(Span) const override { return wiring_; }

 private:
  Wiring wiring_;
};

std::string fault(Wiring wiring, const Limits& limits = {}) {
  const Result<Fabric> fabric = Fabric::make(Told(std::move(wiring)), {}, {}, limits);
  return fabric ? "none" : fabric.diagnostics().front().message;
}

}  // namespace

TEST_CASE("a linked topology's wiring is not trusted") {
  const auto channel = [](std::uint32_t from, std::uint32_t to, std::uint32_t capacity = 1) {
    return Channel{NodeId(from), NodeId(to), capacity};
  };
  CHECK(fault({2, 2, {channel(0, 1), channel(1, 0)}, {}, {}}) == "none");
  CHECK(fault({0, 0, {}, {}, {}}) == "the topology told has no processors");
  CHECK(fault({2, 1, {}, {}, {}}) == "the topology told has no processors");
  CHECK(fault({2, 2, {channel(0, 2), channel(2, 0)}, {}, {}}) == "the topology told has a channel that ends nowhere");
  CHECK(fault({2, 2, {channel(1, 0), channel(0, 1)}, {}, {}}) == "the topology told lists its channels out of order");
  CHECK(fault({2, 2, {channel(0, 1), channel(0, 1)}, {}, {}}) == "the topology told lists its channels out of order");
  CHECK(fault({3, 3, {channel(0, 1), channel(1, 2), channel(2, 0)}, {}, {}}) == "none");
  CHECK(fault({2, 2, {channel(0, 1, 0), channel(1, 0)}, {}, {}}) ==
        "the topology told has a channel to its own node, or without lanes");
  CHECK(fault({1, 3, {}, {}, {"a"}}) == "the topology told does not name every switch");
  CHECK(Fabric::make(Told({1, 3, {}, {}, {}}), {}).value().name(NodeId(2)) == "1.1");
  const std::string_view of_all =
      "the topology told lists channels beside those from every node to every other, or has more than 2^16 nodes";
  CHECK(fault({2, 2, {channel(0, 1), channel(1, 0)}, {}, {}, 1}) == of_all);
  CHECK(fault({65537, 65537, {}, {}, {}, 1}) == of_all);
  CHECK(fault({65536, 65536, {}, {}, {}, 1}).starts_with("told has 4294901760 channels; more than "));
  Limits limits;
  limits.channels = most_channels;
  CHECK(fault({65536, 65536, {}, {}, {}, 1}, limits) == "none");
}

TEST_CASE("switches, too, may have channels to all nodes") {
  const Fabric fabric = Fabric::make(Told({2, 3, {}, {}, {"hub"}, 5}), {}).value();
  CHECK(fabric.channels() == 6);
  CHECK(fabric.lanes() == 30);
  CHECK(fabric.name(ChannelId(5)) == "hub->1");
  CHECK(fabric.channel_between(NodeId(1), NodeId(2)) == ChannelId(3));
  CHECK(std::ranges::equal(fabric.channels_to(NodeId(2)), std::vector{ChannelId(1), ChannelId(3)}));
}
