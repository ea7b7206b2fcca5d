// What a topology tells the prover about its routes, against the router, on every pair at every small size.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/crossings.h"
#include "model/fabric_notation.h"
#include "model/route.h"

namespace quadrille {
namespace {

Fabric fabric_of(const std::string& notation) {
  const auto fabric = parse_fabric({"", notation}, 0);
  REQUIRE_MESSAGE(fabric.ok(), notation);
  return *fabric;
}

// A channel by what the crossings say of it: its class, and its numbers there.
using Told = std::pair<std::size_t, std::vector<std::int64_t>>;

class CrossingComparison {
 public:
  CrossingComparison(const Crossings& crossings, const std::string& notation, std::vector<std::int64_t> parameters)
      : crossings_(crossings), fabric_(fabric_of(notation)), router_(fabric_), parameters_(std::move(parameters)) {}

  void run() {
    const TermValues values{parameters_};
    CHECK(evaluate(crossings_.valid, values) == 1);
    REQUIRE(evaluate(crossings_.processors, values) == fabric_.processors());
    for (std::uint32_t s = 0; s < fabric_.processors(); ++s) {
      for (std::uint32_t t = 0; t < fabric_.processors(); ++t) pair(s, t);
    }
  }

 private:
  void pair(std::uint32_t s, std::uint32_t t) {
    CAPTURE(s);
    CAPTURE(t);
    std::vector<ChannelId> channels;
    REQUIRE(router_.append_route(NodeId(s), NodeId(t), channels));
    const TermValues values{parameters_, s, t, 0};
    const std::vector<Crossing> told = route(crossings_, values);
    REQUIRE(told.size() == channels.size());
    CHECK(evaluate(crossings_.hops, values) == static_cast<std::int64_t>(channels.size()));
    for (std::size_t i = 0; i < told.size(); ++i) one(told[i], channels[i], i);
  }

  void one(const Crossing& told, ChannelId id, std::size_t offset) {
    const Channel& channel = fabric_.channel(id);
    CHECK(told.from == channel.from.value);
    CHECK(told.to == channel.to.value);
    CHECK(told.name == fabric_.name(id));
    CHECK(told.offset == static_cast<std::int64_t>(offset));
    CHECK(told.capacity >= 1);
    CHECK(told.capacity <= channel.capacity);
    CHECK(told.lane >= 0);
    CHECK(told.lane < told.capacity);
    const Told name{told.channel_class, told.channel};
    CHECK(ids_.emplace(name, id).first->second == id);
    CHECK(names_.emplace(id, name).first->second == name);
  }

  const Crossings& crossings_;
  Fabric fabric_;
  Router router_;
  std::vector<std::int64_t> parameters_;
  std::map<Told, ChannelId> ids_;
  std::map<ChannelId, Told> names_;
};

void compare(const FabricForm& form, const std::string& notation, std::vector<std::int64_t> parameters) {
  CAPTURE(notation);
  const auto crossings = crossings_of(form);
  REQUIRE(crossings);
  REQUIRE(crossings->parameters.size() == parameters.size());
  CrossingComparison(*crossings, notation, std::move(parameters)).run();
}

TEST_CASE("crossings of trees of any arity are the router's") {
  const FabricForm binary{"fat_tree", {{"", 1}}};
  for (int levels = 1; levels <= 5; ++levels) compare(binary, fmt::format("fat_tree:{}", levels), {levels});
  for (const char* word : {"constant", "exponential"}) {
    const FabricForm form{"fat_tree", {{"levels", 1}, {"arity", 1}, {"capacity", 0, word}}};
    for (const auto& [arity, most] : {std::pair(2, 5), {3, 3}, {4, 2}, {5, 2}, {7, 2}}) {
      for (int levels = 1; levels <= most; ++levels) {
        compare(form, fmt::format("fat_tree:levels={},arity={},capacity={}", levels, arity, word), {levels, arity});
      }
    }
  }
}

TEST_CASE("crossings of a tree whose capacities are listed are the router's") {
  const FabricForm form{"fat_tree", {{"capacity", 3}}};
  compare(form, "fat_tree:capacity=1,1,3", {1, 1, 3});
  compare({"fat_tree", {{"levels", 1}, {"capacity", 2}}}, "fat_tree:levels=2,capacity=2,5", {2, 5, 2});
}

TEST_CASE("crossings of rings, lines, stars and complete graphs are the router's") {
  for (const char* kind : {"ring", "line", "star", "complete"}) {
    for (int nodes = 1; nodes <= 12; ++nodes) {
      compare({kind, {{"", 1}}}, fmt::format("{}:{}", kind, nodes), {nodes});
      compare({kind, {{"nodes", 1}, {"capacity", 1}}}, fmt::format("{}:{},capacity=3", kind, nodes), {nodes, 3});
    }
  }
}

TEST_CASE("crossings of meshes and tori are the router's") {
  for (const char* kind : {"mesh", "torus"}) {
    for (int a = 1; a <= 6; ++a) {
      compare({kind, {{"", 1}}}, fmt::format("{}:{}", kind, a), {a});
      for (int b = 1; b <= 6; ++b) {
        compare({kind, {{"", 2}}}, fmt::format("{}:{}x{}", kind, a, b), {a, b});
        for (int c = 1; c <= 4 && a <= 4 && b <= 4; ++c) {
          compare({kind, {{"extents", 3}}}, fmt::format("{}:{}x{}x{}", kind, a, b, c), {a, b, c});
        }
      }
    }
    compare({kind, {{"", 4}}}, fmt::format("{}:2x3x4x3", kind), {2, 3, 4, 3});
  }
}

TEST_CASE("crossings of hypercubes are the router's") {
  for (int dimensions = 1; dimensions <= 6; ++dimensions) {
    compare({"hypercube", {{"", 1}}}, fmt::format("hypercube:{}", dimensions), {dimensions});
  }
}

TEST_CASE("a fabric without known routes for every size has no crossings") {
  CHECK_FALSE(crossings_of({"graph", {{"", 0, "machine.json"}}}));
  CHECK_FALSE(crossings_of({"dgx1", {}}));
  CHECK_FALSE(crossings_of({"ring", {}}));
  CHECK_FALSE(crossings_of({"ring", {{"", 2}}}));
  CHECK_FALSE(crossings_of({"fat_tree", {{"arity", 1}}}));
  CHECK_FALSE(crossings_of({"fat_tree", {{"levels", 1}, {"capacity", 0, "1,1,2"}}}));
}

TEST_CASE("no fabric is valid that has no processor") {
  const auto valid = [](const FabricForm& form, std::vector<std::int64_t> parameters) {
    return evaluate(crossings_of(form)->valid, {std::move(parameters)}) == 1;
  };
  CHECK_FALSE(valid({"ring", {{"", 1}}}, {0}));
  CHECK_FALSE(valid({"torus", {{"", 2}}}, {3, 0}));
  CHECK_FALSE(valid({"fat_tree", {{"levels", 1}, {"arity", 1}}}, {2, 1}));
  CHECK(valid({"torus", {{"", 2}}}, {3, 1}));
  const FabricForm listed{"fat_tree", {{"levels", 1}, {"capacity", 2}}};  // parameters: capacities, levels
  CHECK(valid(listed, {1, 3, 2}));
  CHECK_FALSE(valid(listed, {1, 3, 3}));
  CHECK_FALSE(valid(listed, {3, 1, 2}));
}

}  // namespace
}  // namespace quadrille
