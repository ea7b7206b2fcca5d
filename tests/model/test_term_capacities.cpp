// What topologies say for lower bounds, against the fabric, at every small size.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "model/crossings.h"
#include "model/distances.h"
#include "model/fabric_notation.h"

namespace quadrille {
namespace {

Fabric described(const std::string& notation) {
  const auto fabric = parse_fabric({"", notation}, 0);
  REQUIRE_MESSAGE(fabric.ok(), notation);
  return *fabric;
}

// The most that flows from the processors with which `inside` holds to the others, a lane at a time.
class Flow {
 public:
  Flow(const Fabric& fabric, const std::function<bool(std::uint32_t)>& inside) : fabric_(fabric), inside_(inside) {
    for (const Channel& channel : fabric.all_channels()) left_.push_back(channel.capacity);
    back_.resize(left_.size());
  }

  std::int64_t most() {
    std::int64_t flow = 0;
    for (bool more = true; more; flow += more ? 1 : 0) {
      std::vector<bool> seen(fabric_.nodes());
      more = false;
      for (std::uint32_t v = 0; v < fabric_.processors() && !more; ++v) more = inside_(v) && push(v, seen);
    }
    return flow;
  }

 private:
  bool push(std::uint32_t v, std::vector<bool>& seen) {
    if (v < fabric_.processors() && !inside_(v)) return true;
    if (seen[v]) return false;
    seen[v] = true;
    for (std::uint32_t e = 0; e < left_.size(); ++e) {
      const Channel& channel = fabric_.channel(ChannelId(e));
      if (channel.from.value == v && left_[e] > 0 && push(channel.to.value, seen)) {
        --left_[e];
        ++back_[e];
        return true;
      }
      if (channel.to.value == v && back_[e] > 0 && push(channel.from.value, seen)) {
        ++left_[e];
        --back_[e];
        return true;
      }
    }
    return false;
  }

  const Fabric& fabric_;
  std::function<bool(std::uint32_t)> inside_;
  std::vector<std::uint32_t> left_;
  std::vector<std::uint32_t> back_;
};

std::int64_t lanes_of(const Fabric& fabric, const std::vector<ChannelId>& channels) {
  std::int64_t lanes = 0;
  for (const ChannelId e : channels) lanes += fabric.channel(e).capacity;
  return lanes;
}

void compare_processors(const Fabric& fabric, const Crossings& crossings, TermValues values) {
  for (std::uint32_t s = 0; s < fabric.processors(); ++s) {
    CAPTURE(s);
    values.source = s;
    const std::int64_t lanes = evaluate(crossings.capacities->lanes, values);
    const auto in = fabric.channels_to(NodeId(s));
    const auto out = fabric.channels_from(NodeId(s));
    CHECK(lanes == lanes_of(fabric, {in.begin(), in.end()}));
    CHECK(lanes == lanes_of(fabric, {out.begin(), out.end()}));
    const auto away = distances(fabric, NodeId(s), Direction::from);
    for (std::uint32_t t = 0; t < fabric.processors(); ++t) {
      values.target = t;
      CHECK(evaluate(crossings.hops, values) == away[t]);
    }
  }
}

void compare_halves(const Fabric& fabric, const Crossings& crossings, const TermValues& values) {
  const TermHalves& halves = *crossings.capacities->halves;
  const std::int64_t first = evaluate(halves.first, values);
  const std::int64_t lanes = evaluate(halves.lanes, values);
  const std::int64_t before = evaluate(halves.before, values);
  for (const bool lower : {true, false}) {
    Flow flow(fabric, [&](std::uint32_t v) { return (v < first) == lower; });
    CHECK(flow.most() <= lanes);
  }
  if (halves.after == Term(0)) return;
  // On a tree all go over its root: they cross the channels into it, which are so far from all processors.
  const auto root = fabric.nodes() - 1;
  for (std::uint32_t e = 0; e < fabric.all_channels().size(); ++e) {
    if (fabric.channel(ChannelId(e)).to.value == root) CHECK(fabric.channel(ChannelId(e)).capacity == lanes);
  }
  CHECK(fabric.channels_to(NodeId(root)).size() == 2);
  for (std::uint32_t v = 0; v < fabric.processors(); ++v) {
    CHECK(distances(fabric, NodeId(v), Direction::to)[root] == evaluate(halves.after, values));
    CHECK(distances(fabric, NodeId(v), Direction::from)[root] == before + 1);
  }
}

void compare_capacities(const FabricForm& form, const std::string& notation, std::vector<std::int64_t> parameters) {
  CAPTURE(notation);
  const auto crossings = crossings_of(form);
  REQUIRE(crossings);
  REQUIRE(crossings->capacities);
  const Fabric fabric = described(notation);
  const TermValues values{std::move(parameters)};
  compare_processors(fabric, *crossings, values);
  if (crossings->capacities->halves && fabric.processors() > 1) compare_halves(fabric, *crossings, values);
}

}  // namespace

TEST_CASE("lanes, distances and halves of rings, lines, stars and complete graphs are the fabric's") {
  for (const char* kind : {"ring", "line", "star", "complete"}) {
    for (int nodes = 1; nodes <= 9; ++nodes) {
      compare_capacities({kind, {{"", 1}}}, fmt::format("{}:{}", kind, nodes), {nodes});
      compare_capacities({kind, {{"nodes", 1}, {"capacity", 1}}}, fmt::format("{}:{},capacity=3", kind, nodes),
                         {nodes, 3});
    }
  }
}

TEST_CASE("lanes, distances and halves of meshes, tori and hypercubes are the fabric's") {
  for (const char* kind : {"mesh", "torus"}) {
    for (int a = 1; a <= 5; ++a) {
      for (int b = 1; b <= 5; ++b) {
        compare_capacities({kind, {{"", 2}}}, fmt::format("{}:{}x{}", kind, a, b), {a, b});
        compare_capacities({kind, {{"extents", 3}}}, fmt::format("{}:{}x{}x2", kind, a, b), {a, b, 2});
      }
    }
  }
  for (int dimensions = 1; dimensions <= 5; ++dimensions) {
    compare_capacities({"hypercube", {{"", 1}}}, fmt::format("hypercube:{}", dimensions), {dimensions});
  }
}

TEST_CASE("lanes, distances and halves of trees are the fabric's") {
  for (const char* word : {"constant", "exponential"}) {
    const FabricForm form{"fat_tree", {{"levels", 1}, {"arity", 1}, {"capacity", 0, word}}};
    for (const auto& [arity, most] : {std::pair(2, 5), {3, 3}, {4, 2}}) {
      for (int levels = 1; levels <= most; ++levels) {
        compare_capacities(form, fmt::format("fat_tree:levels={},arity={},capacity={}", levels, arity, word),
                           {levels, arity});
      }
    }
  }
  compare_capacities({"fat_tree", {{"capacity", 3}}}, "fat_tree:capacity=2,2,3", {2, 2, 3});
}

}  // namespace quadrille
