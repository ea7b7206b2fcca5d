// The parts of bounds by linear programs: classes of pairs, the programs themselves, and what flows over time show.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/fabric_notation.h"
#include "tests/verifier/stop_after.h"
#include "verifier/bounds.h"
#include "verifier/bounds/flow.h"
#include "verifier/bounds/linear_program.h"
#include "verifier/search/problem/symmetry.h"

namespace quadrille::tests {
namespace {

using bounds::LinearProgram;
using bounds::PairClasses;

Fabric fabric_of(const std::string& notation) { return parse_fabric({"", notation}, 0).value(); }

Collective exchange(const Fabric& fabric) {
  return parse_collective({"", "total_exchange"}, 0, fabric.processors()).value();
}

// The classes of the pairs of nodes by links alone.
PairClasses classes_of(const Fabric& fabric) {
  const std::size_t nodes = fabric.nodes();
  std::vector<std::uint64_t> colours(nodes * nodes);
  for (std::size_t v = 0; v < nodes; ++v) colours[v * nodes + v] = v < fabric.processors() ? 1 : 2;
  for (const Channel& it : fabric.all_channels()) {
    colours[it.from.value * nodes + it.to.value] += 3 + it.capacity;
    colours[it.to.value * nodes + it.from.value] += (std::uint64_t{3} + it.capacity) << 32U;
  }
  return {fabric.nodes(), colours};
}

TEST_CASE("pairs of a ring, a hypercube and a complete graph are told apart by their distance") {
  CHECK(classes_of(fabric_of("ring:8")).count() == 5);
  CHECK(classes_of(fabric_of("ring:9")).count() == 5);
  CHECK(classes_of(fabric_of("hypercube:4")).count() == 5);
  CHECK(classes_of(fabric_of("complete:6")).count() == 2);
  CHECK(classes_of(fabric_of("line:4")).count() == 8);  // each pair, but for the reflection
}

TEST_CASE("pairs in a fat tree are told apart by their levels, and by where they meet") {
  // Levels h and k meet at max(h, k) … L, and at that level itself once more if one is below the other.
  for (std::uint32_t levels = 1; levels <= 3; ++levels) {
    const Fabric fabric = fabric_of("fat_tree:levels=" + std::to_string(levels));
    std::uint32_t expected = 0;
    for (std::uint32_t h = 0; h <= levels; ++h) {
      for (std::uint32_t k = 0; k <= levels; ++k) expected += levels - std::max(h, k) + 1;
    }
    CHECK(classes_of(fabric).count() == expected);
  }
}

TEST_CASE("automorphisms take pairs to pairs of the same class") {
  for (const std::string notation :
       {"fat_tree:levels=3,capacity=exponential", "torus:3x4", "mesh:2x3", "star:5", "dgx1"}) {
    CAPTURE(notation);
    const Fabric fabric = fabric_of(notation);
    const PairClasses classes = classes_of(fabric);
    for (const searching::Group& group : searching::groups_of(fabric, exchange(fabric))) {
      for (const searching::Permutation& element : group.elements) {
        for (std::uint32_t u = 0; u < fabric.nodes(); ++u) {
          for (std::uint32_t v = 0; v < fabric.nodes(); ++v) {
            REQUIRE(classes.of(u, v) == classes.of(element[u], element[v]));
          }
        }
      }
    }
  }
}

TEST_CASE("a linear program finds the corner where the sum is largest") {
  LinearProgram program(2);
  program.add_gain(0, 3);
  program.add_gain(1, 2);
  program.add_row({{0, 1}, {1, 1}}, 4);
  program.add_row({{0, 1}, {1, 3}}, 6);
  program.add_row({{0, 1}}, 3);
  const auto solution = program.maximum(100);
  REQUIRE(solution);
  CHECK(solution->value == doctest::Approx(11));
  CHECK(solution->columns[0] == doctest::Approx(3));
  CHECK(solution->columns[1] == doctest::Approx(1));
}

TEST_CASE("a linear program without a largest sum, or without time, has no solution") {
  LinearProgram unbounded(1);
  unbounded.add_gain(0, 1);
  CHECK_FALSE(unbounded.maximum(100));
  LinearProgram impossible(1);
  impossible.add_row({{0, 1}}, -1);
  CHECK_FALSE(impossible.maximum(100));
}

// The number of steps is the optimum: the search finds a schedule (test_search.cpp).
TEST_CASE("flows over time show more than counting by hand where capacities are uneven") {
  const std::vector<std::pair<std::string, std::uint64_t>> known = {{"fat_tree:levels=3,capacity=1,1,2", 17},
                                                                    {"fat_tree:levels=4,capacity=1,2,2,4", 31}};
  for (const auto& each : known) {
    const std::string& notation = each.first;
    const std::uint64_t steps = each.second;
    CAPTURE(notation);
    const Fabric fabric = fabric_of(notation);
    const Collective collective = exchange(fabric);
    const std::uint64_t by_hand = lower_bounds(fabric, collective).front().steps.value();
    CHECK(by_hand < steps);
    const auto flow = flow_bound(fabric, collective, by_hand, 100000);
    REQUIRE(flow);
    CHECK(flow->steps == steps);
  }
}

TEST_CASE("flows over time show on the DGX-1 what cuts show") {
  const Fabric fabric = fabric_of("dgx1");
  const auto flow = flow_bound(fabric, exchange(fabric), 2, 100000);
  REQUIRE(flow);
  CHECK(flow->steps == 3);
}

TEST_CASE("a flow bound is not sought where the program would be too large, or time is up") {
  const Fabric fabric = fabric_of("fat_tree:levels=3,capacity=1,1,2");
  CHECK_FALSE(flow_bound(fabric, exchange(fabric), 15, 100));
  CHECK_FALSE(flow_bound(fabric, exchange(fabric), 15, 100000, stop_after(0)));
}

TEST_CASE("what the resources are worth, and what packets pay, is exact") {
  const Fabric fabric = fabric_of("line:3,ports=single");
  const bounds::Resources resources(fabric);
  CHECK(resources.all.size() == 4 + 6);
  bounds::StepPrices prices(resources.all.size(), {0, 0, 0});
  prices[0] = {5, 1, 2};  // 0->1
  REQUIRE(resources.all[0].name == "channel 0->1");
  CHECK(bounds::priced_capacity(resources, prices) == 8);
  CHECK(bounds::priced_demand(fabric, resources, {{0, 2, 3}}, prices, 3) == 3);
  CHECK(bounds::priced_demand(fabric, resources, {{0, 2, 3}, {0, 1, 1}}, prices, 2) == 16);
  CHECK_FALSE(bounds::priced_demand(fabric, resources, {{0, 2, 1}}, prices, 1));
  prices[0] = {std::uint64_t{1} << 62U, 1, 0};
  CHECK_FALSE(bounds::priced_capacity(resources, prices));
}

}  // namespace
}  // namespace quadrille::tests
