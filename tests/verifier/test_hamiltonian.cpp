// Hamiltonian cycles, compared with trying everything on what is small.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "compiler/language_families.h"
#include "model/fabric_notation.h"
#include "model/topology.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "verifier/hamiltonian.h"

namespace quadrille::tests {
namespace {

Fabric fabric_named(const std::string& notation) { return parse_fabric({"", notation}, 0).value(); }

bool linked(const Fabric& fabric, std::uint32_t from, std::uint32_t to) {
  return fabric.channel_between(NodeId(from), NodeId(to)).has_value();
}

bool is_cycle(const Fabric& fabric, const std::vector<std::uint32_t>& cycle) {
  std::vector<std::uint32_t> sorted = cycle;
  std::sort(sorted.begin(), sorted.end());
  for (std::uint32_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != i) return false;
  }
  for (std::size_t i = 0; i < cycle.size() && cycle.size() > 1; ++i) {
    if (!linked(fabric, cycle[i], cycle[(i + 1) % cycle.size()])) return false;
  }
  return cycle.size() == fabric.processors();
}

// By trying all orders.
bool has_cycle(const Fabric& fabric) {
  std::vector<std::uint32_t> order(fabric.processors());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  do {
    if (is_cycle(fabric, order)) return true;
  } while (std::next_permutation(order.begin() + 1, order.end()));
  return false;
}

void check_agreement(const Fabric& fabric) {
  const HamiltonianCycle found = hamiltonian_cycle(fabric, {});
  CAPTURE(fabric.topology().title());
  CHECK((found.verdict == CycleVerdict::found) == has_cycle(fabric));
  CHECK((found.verdict == CycleVerdict::none) != has_cycle(fabric));
  if (found.verdict == CycleVerdict::found) {
    CHECK(is_cycle(fabric, found.cycle));
    CHECK(found.cycle.front() == 0);
  }
}

TEST_CASE("grids, complete graphs and products have the cycle that is found by trying all orders, or none") {
  for (const char* notation : {"line:1",
                               "line:2",
                               "line:3",
                               "ring:2",
                               "ring:3",
                               "ring:7",
                               "mesh:2x2",
                               "mesh:2x3",
                               "mesh:3x2",
                               "mesh:1x4",
                               "mesh:2x2x2",
                               "mesh:3x3",
                               "torus:3x3",
                               "torus:2x4",
                               "torus:3x2",
                               "torus:2x2x2",
                               "hypercube:1",
                               "hypercube:2",
                               "hypercube:3",
                               "complete:1",
                               "complete:2",
                               "complete:6",
                               "star:3",
                               "product(ring:3,line:3)",
                               "product(line:3,line:3)",
                               "product(complete:2,complete:4)",
                               "product(star:2,ring:3)"}) {
    const auto fabric = parse_fabric({"", notation}, 0);
    if (fabric) check_agreement(*fabric);
  }
}

TEST_CASE("tori of any sides have a cycle in closed form, meshes where the number of points is even") {
  for (std::uint32_t a = 2; a <= 9; ++a) {
    for (std::uint32_t b = 2; b <= 9; ++b) {
      for (std::uint32_t c = 1; c <= 5; ++c) {
        const Fabric torus = fabric_named(fmt::format("torus:{}x{}x{}", a, b, c));
        const auto cycle = torus.topology().hamiltonian_cycle();
        REQUIRE(cycle.has_value());
        CHECK_MESSAGE(is_cycle(torus, *cycle), torus.topology().title());
        const Fabric mesh = fabric_named(fmt::format("mesh:{}x{}x{}", a, b, c));
        const auto around = mesh.topology().hamiltonian_cycle();
        CHECK(around.has_value() == (a * b * c % 2 == 0));
        if (around) CHECK_MESSAGE(is_cycle(mesh, *around), mesh.topology().title());
      }
    }
  }
}

TEST_CASE(
    "cube-connected cycles, wrapped butterflies, de Bruijn's graphs and k-ary n-cubes have a cycle in closed form") {
  std::vector<std::string> notations;
  for (std::uint32_t d = 3; d <= (brief ? 9 : 14); ++d) {
    notations.push_back(fmt::format("cube_connected_cycles:dimensions={}", d));
    notations.push_back(fmt::format("wrapped_butterfly:dimensions={}", d));
  }
  for (std::uint32_t base = 2; base <= 16; ++base) {
    std::uint64_t words = base * base;
    for (std::uint32_t digits = 2; words <= (brief ? 300 : 70000); ++digits, words *= base) {
      notations.push_back(fmt::format("de_bruijn:digits={},base={}", digits, base));
      notations.push_back(fmt::format("k_ary_n_cube:k={},dimensions={}", base, digits));
    }
  }
  for (const std::string& notation : notations) {
    const Fabric fabric = parse_fabric({"", notation}, 0, {}, language_families()).value();
    const HamiltonianCycle found = hamiltonian_cycle(fabric, {});
    CHECK_MESSAGE(found.why == "in closed form", notation);
    CHECK_MESSAGE(is_cycle(fabric, found.cycle), notation);
  }
}

TEST_CASE("butterflies that are not wrapped have none from two dimensions on") {
  for (const char* notation : {"butterfly:2", "butterfly:3", "butterfly:4", "butterfly:5"}) {
    const Fabric fabric = parse_fabric({"", notation}, 0, {}, language_families()).value();
    CHECK(hamiltonian_cycle(fabric, {}).verdict == CycleVerdict::none);
  }
}

TEST_CASE("of random graphs, with links one way or both ways, a cycle is found exactly if there is one") {
  const std::uint64_t first = reference::first_seed();
  const std::uint64_t graphs = brief ? 200 : 1000;
  std::uint64_t with = 0;
  for (std::uint64_t seed = first; seed < first + graphs; ++seed) {
    reference::Dice dice(seed);
    const std::uint32_t n = dice.from_to(2, 7);
    std::string links;
    const bool both_ways = seed % 2 == 0;
    const auto link = [&](std::uint32_t from, std::uint32_t to) {
      links += fmt::format("{}[{},{},1]", links.empty() ? "" : ",", from, to);
    };
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t j = 0; j < n; ++j) {
        if (i == j || (both_ways && i < j) || dice.one_in(both_ways ? 2 : 3)) continue;
        link(i, j);
        if (both_ways) link(j, i);
      }
    }
    CAPTURE(seed);
    const auto fabric =
        parse_fabric({"", fmt::format("graph:{{\"processors\":{},\"switches\":[],\"channels\":[{}]}}", n, links)}, 0);
    REQUIRE(fabric.ok());
    check_agreement(*fabric);
    with += has_cycle(*fabric);
  }
  MESSAGE(fmt::format("{} of {} graphs from seed {} have a cycle", with, graphs, first));
  CHECK(with > graphs / 10);
}

TEST_CASE("why there is no cycle is said in words where that is easy") {
  const auto why = [](const char* notation) { return hamiltonian_cycle(fabric_named(notation), {}).why; };
  CHECK(why("mesh:5x5") == "every link joins one of 13 processors to one of 12 others, and a cycle would alternate");
  CHECK(why("line:4") == "processor 0 is linked to processor 1 only");
  CHECK(why("graph:{\"processors\":6,\"links\":[[0,1],[1,2],[2,3],[3,0],[0,4],[4,5],[5,2]]}") ==
        "processors 1 and 3 are both linked to processors 0 and 2 only");
  CHECK(why("star:4") == "no link leads from processor 0 to another processor");
}

TEST_CASE("a search for a cycle ends when its time does") {
  Limits limits;
  limits.deadline = Limits::Clock::now();
  const HamiltonianCycle found = hamiltonian_cycle(fabric_named("product(line:3,ring:4)"), limits);
  CHECK(found.verdict == CycleVerdict::unknown);
  CHECK(found.reason == Reason::timeout);
}

}  // namespace
}  // namespace quadrille::tests
