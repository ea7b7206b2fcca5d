// The schedules of Single-Port Multinode Broadcasting at many sizes, and along cycles of other fabrics.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <string>
#include <vector>

#include "driver/check/check.h"
#include "driver/files/real_environment.h"
#include "driver/inputs/notations.h"
#include "model/verdict.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "verifier/hamiltonian.h"

namespace quadrille::tests {
namespace {

// How many steps it takes, all that it claims being true; 0 if that is not so.
std::uint64_t steps_of(const std::string& schedule, const std::vector<std::string>& defines,
                       const std::string& on = "") {
  driver::RealEnvironment environment;
  driver::Context context{environment};
  driver::CheckRequest request;
  request.input.file = schedule;
  request.input.defines = defines;
  request.input.on = on;
  const auto outcome = driver::run(request, context);
  CAPTURE(schedule);
  CAPTURE(fmt::format("{} {}", fmt::join(defines, " "), on));
  REQUIRE(outcome.ok());
  CHECK(outcome->report.verdict == Verdict::holds);
  return outcome->report.verdict == Verdict::holds ? outcome->report.steps : 0;
}

std::uint64_t half_duplex_bound(std::uint64_t n) { return n % 2 == 0 ? 2 * (n - 1) : 2 * n; }

TEST_CASE("rings take what the paper says, and buffers of two messages") {
  const std::uint64_t most = brief ? 9 : 40;
  for (std::uint64_t n = 2; n <= most; ++n) {
    const std::vector<std::string> size = {fmt::format("N={}", n)};
    CHECK(steps_of("ring_multinode_broadcast", size) == n - 1);
    CHECK(steps_of(fmt::format("ring_multinode_broadcast_half_{}", n % 2 == 0 ? "even" : "odd"), size) ==
          half_duplex_bound(n));
  }
}

TEST_CASE("products of rings take T_B + n2*T_A steps") {
  const std::uint64_t most = brief ? 4 : 9;
  for (std::uint64_t a = 2; a <= most; ++a) {
    for (std::uint64_t b = 2; b <= most; ++b) {
      const std::uint64_t half =
          steps_of("torus_multinode_broadcast_half", {fmt::format("n1={}", a), fmt::format("n2={}", b)});
      CHECK(half == half_duplex_bound(b) + b * half_duplex_bound(a));
      CHECK(steps_of("product_multinode_broadcast", {fmt::format("sides=[{},{}]", a, b)}) == a * b - 1);
    }
  }
  for (const char* sides : {"[5]", "[2,3,4]", "[3,3,3]", "[2,2,2,2]", "[3,1,2]"}) {
    steps_of("product_multinode_broadcast", {fmt::format("sides={}", sides)});
  }
}

TEST_CASE("half-duplex tori with two odd sides take 2n steps, which is the least") {
  const std::uint64_t most = brief ? 5 : 13;
  for (std::uint64_t a = 3; a <= most; a += 2) {
    for (std::uint64_t b = 3; b <= most; b += 2) {
      CHECK(steps_of("torus_multinode_broadcast_odd", {fmt::format("n1={}", a), fmt::format("n2={}", b)}) == 2 * a * b);
    }
  }
}

TEST_CASE("half-duplex tori of any sides take 2(n - 1) or 2n steps, which is the least") {
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + (brief ? 20 : 200); ++seed) {
    reference::Dice dice(seed);
    std::vector<std::uint32_t> sides;
    std::uint64_t n = 1;
    for (std::uint32_t left = dice.from_to(1, 4); left > 0; --left) {
      sides.push_back(dice.from_to(1, left > 2 ? 5 : 9));
      n *= sides.back();
    }
    if (n > 400) continue;
    INFO("QUADRILLE_SEED=" << seed);
    CHECK(steps_of("product_multinode_broadcast_half", {fmt::format("sides=[{}]", fmt::join(sides, ","))}) ==
          (n == 1 ? 0 : half_duplex_bound(n)));
  }
}

TEST_CASE("along a Hamiltonian cycle any fabric takes what a ring does") {
  for (const char* name :
       {"complete:7", "hypercube:4", "mesh:3x4", "torus:3x3x3", "product(line:3,ring:4)",
        "cube_connected_cycles:dimensions=3", "wrapped_butterfly:dimensions=3", "de_bruijn:digits=4"}) {
    driver::RealEnvironment environment;
    driver::Context context{environment};
    const Fabric fabric = driver::fabric_on(name, context).value();
    const HamiltonianCycle found = hamiltonian_cycle(fabric, {});
    CAPTURE(name);
    REQUIRE(found.verdict == CycleVerdict::found);
    const std::vector<std::string> cycle = {fmt::format("cycle=[{}]", fmt::join(found.cycle, ","))};
    const std::uint64_t n = fabric.processors();
    CHECK(steps_of("hamiltonian_multinode_broadcast", cycle, fmt::format("{},ports=single", name)) == n - 1);
    if (std::string(name).starts_with("de_bruijn")) continue;  // its links go one way
    CHECK(steps_of("hamiltonian_multinode_broadcast_half", cycle, fmt::format("{},ports=single,duplex=half", name)) ==
          half_duplex_bound(n));
  }
}

}  // namespace
}  // namespace quadrille::tests
