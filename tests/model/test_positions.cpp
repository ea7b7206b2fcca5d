// Where nodes are drawn: no two at one place, the same each time, and as people draw the topologies that have a look.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/fabric_notation.h"
#include "model/layout/positions.h"
#include "tests/reference/random_tables.h"

namespace quadrille {
namespace {

std::vector<NodePosition> drawn(const std::string& notation) {
  return positions(parse_fabric({"", notation}, 0).value());
}

void require_drawable(const Fabric& fabric) {
  CAPTURE(fabric.notation());
  const std::vector<NodePosition> all = positions(fabric);
  REQUIRE(all.size() == fabric.nodes());
  std::set<std::pair<double, double>> places;
  for (const NodePosition& it : all) {
    REQUIRE(it.x >= 0);
    REQUIRE(it.y >= 0);
    REQUIRE(std::round(it.x * 100) / 100 == it.x);
    REQUIRE(std::round(it.y * 100) / 100 == it.y);
    REQUIRE(places.emplace(it.x, it.y).second);
  }
  REQUIRE(positions(fabric) == all);
}

TEST_CASE("every node of every topology has a place of its own, and the same each time") {
  for (const std::string on :
       {"line:1", "line:7", "ring:2", "ring:9", "mesh:3x4", "torus:3x4x5", "torus:2x3x2x3", "hypercube:1",
        "hypercube:7", "complete:1", "complete:12", "star:5", "fat_tree:levels=5,arity=2", "fat_tree:levels=2,arity=5",
        "dgx1", "product(line:3,ring:4)",

        R"(graph:{"processors":5,"links":[[0,1],[3,4]]})",
        R"(graph:{"processors":3,"switches":["a","b"],"links":[[0,"a"],[1,"a"]]})"}) {
    const auto fabric = parse_fabric({"", on}, 0);
    CAPTURE(on);
    REQUIRE(fabric);
    require_drawable(*fabric);
  }
  const std::uint64_t seed = reference::first_seed();
  for (std::uint64_t i = seed; i < seed + 200; ++i) {
    CAPTURE(i);
    reference::Dice dice(i);
    require_drawable(reference::random_fabric(dice));
  }
}

TEST_CASE("meshes and tori are grids, hypercubes cubes, rings and complete graphs circles") {
  CHECK(drawn("mesh:2x3") == std::vector<NodePosition>{{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}});
  CHECK(drawn("torus:2x3") == drawn("mesh:2x3"));
  CHECK(drawn("torus:2x2x2") ==
        std::vector<NodePosition>{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2.5, 0}, {3.5, 0}, {2.5, 1}, {3.5, 1}});
  CHECK(drawn("hypercube:3") ==
        std::vector<NodePosition>{
            {0, 0.45}, {1.5, 0.45}, {0, 1.95}, {1.5, 1.95}, {0.6, 0}, {2.1, 0}, {0.6, 1.5}, {2.1, 1.5}});
  CHECK(drawn("ring:8") == drawn("complete:8"));
}

TEST_CASE("a tree's switches stand above the middle of their leaves") {
  const std::vector<NodePosition> all = drawn("fat_tree:levels=2");  // 0 1 2 3, then 1.0, 1.1 and 2.0
  CHECK(all == std::vector<NodePosition>{{0, 3}, {1, 3}, {2.5, 3}, {3.5, 3}, {0.5, 1.5}, {3, 1.5}, {1.75, 0}});
}

TEST_CASE("what serves servers across stands above the servers' own switches") {
  std::string links;
  for (int server = 0; server < 2; ++server) {
    for (int gpu = 0; gpu < 4; ++gpu) {
      const int p = server * 4 + gpu;
      links += "[" + std::to_string(p) + ",\"s" + std::to_string(server) + "\"],";
      links += "[" + std::to_string(p) + ",\"r" + std::to_string(gpu) + "\"],";
    }
  }
  links.pop_back();
  const auto fabric = parse_fabric(
      {"", R"(graph:{"processors":8,"switches":["s0","s1","r0","r1","r2","r3"],"links":[)" + links + "]}"}, 0);
  REQUIRE(fabric);
  const std::vector<NodePosition> all = positions(*fabric);
  CHECK(all[8].y == all[9].y);
  for (int rail = 10; rail < 14; ++rail) CHECK(all[static_cast<std::size_t>(rail)].y < all[8].y);
}

TEST_CASE("a graph of which nothing is known has neighbours nearer than others") {
  // Two triangles joined by one link.
  const auto all = drawn(R"(graph:{"processors":6,"links":[[0,1],[1,2],[2,0],[3,4],[4,5],[5,3],[2,3]]})");
  const auto far = [&](std::size_t a, std::size_t b) { return std::hypot(all[a].x - all[b].x, all[a].y - all[b].y); };
  CHECK(far(0, 1) < far(0, 4));
  CHECK(far(2, 3) < far(1, 4));
}

TEST_CASE("a layout that is cut short is one all the same") {
  Limits over;
  over.deadline = Limits::Clock::time_point::min();
  const auto fabric = parse_fabric({"", R"(graph:{"processors":4,"links":[[0,1],[1,2],[2,3]]})"}, 0);
  CHECK(positions(*fabric, over).size() == 4);
}

}  // namespace
}  // namespace quadrille
