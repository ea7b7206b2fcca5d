// Planned schedules: what is planned for one processor and shifted must hold, and be as short as is promised.
#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "compiler/language_families.h"
#include "model/fabric_notation.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "verifier/bounds.h"
#include "verifier/check.h"
#include "verifier/search/heuristics/schedules.h"
#include "verifier/search/heuristics/trips.h"

namespace quadrille::tests {
namespace {

// The steps of the shortest planned schedule; every one must hold, have the steps that it is said to have, and be no
// shorter than the bound.
std::optional<std::uint64_t> planned_steps(const Fabric& fabric, const Collective& collective) {
  CAPTURE(fabric.notation());
  CAPTURE(collective.notation());
  const auto bound = lower_bounds(fabric, collective).front().steps;
  std::optional<std::uint64_t> least;
  Watch watch{Limits{}};
  searching::planned_schedules(fabric, collective, bound.value_or(0), watch, [&](SendTable table, const Method&) {
    const Report report = check(table);
    CHECK(report.verdict == Verdict::holds);
    CHECK(report.steps >= bound.value_or(0));
    if (least) CHECK(report.steps < *least);
    least = report.steps;
    return !bound || report.steps > *bound;
  });
  return least;
}

std::optional<std::uint64_t> planned_steps(const std::string& on, const std::string& what) {
  const Fabric fabric = parse_fabric({"", on}, 0, {}, language_families()).value();
  return planned_steps(fabric, parse_collective({"", what}, 0, fabric.processors()).value());
}

}  // namespace

TEST_CASE("a total exchange on tori, rings and hypercubes meets the bound") {
  CHECK(planned_steps("torus:8x8", "total_exchange") == 64);
  CHECK(planned_steps("torus:4x4x4", "total_exchange") == 32);
  CHECK(planned_steps("torus:3x5", "total_exchange") == 9);
  CHECK(planned_steps("hypercube:5", "total_exchange") == 16);
  CHECK(planned_steps("ring:14", "total_exchange") == 25);
  CHECK(planned_steps("ring:32", "total_exchange") == 128);
  CHECK(planned_steps("torus:4x4,capacity=2", "total_exchange") == 4);
}

TEST_CASE("an all-gather on tori, rings and hypercubes meets the bound") {
  CHECK(planned_steps("torus:8x8", "allgather") == 16);
  CHECK(planned_steps("torus:5x7", "allgather") == 9);
  CHECK(planned_steps("hypercube:6", "allgather") == 11);
  CHECK(planned_steps("ring:9", "allgather") == 4);
  CHECK(planned_steps("complete:7", "allgather") == 1);
  CHECK(planned_steps("torus:4x4,capacity=2", "allgather:parts=3") == 6);
}

TEST_CASE("fabrics without shifts are planned, too") {
  CHECK(planned_steps("mesh:3x3", "total_exchange").has_value());
  CHECK(planned_steps("dgx_a100", "total_exchange") == 2);
  CHECK(planned_steps("mesh:3x4", "allgather").has_value());
  CHECK(planned_steps("mesh:3x4", "broadcast").has_value());
  CHECK(planned_steps("leaf_spine:hosts=16,leaves=4,spines=4", "total_exchange").has_value());
}

TEST_CASE("sums that one processor each wants come together over switches, too") {
  CHECK(planned_steps("hypercube:6", "reduce_scatter") == 11);
  CHECK(planned_steps("bcube:n=4,levels=2", "reduce_scatter") == 9);
  CHECK(planned_steps("dgx_a100", "reduce") == 2);
  CHECK(planned_steps("leaf_spine:hosts=16,leaves=4,spines=4", "reduce").has_value());
  CHECK(planned_steps("de_bruijn:3", "reduce_scatter").has_value());
}

TEST_CASE("half duplex and single ports are kept") {
  CHECK(planned_steps("torus:4x4,duplex=half", "total_exchange").has_value());
  CHECK(planned_steps("ring:6,ports=single", "total_exchange").has_value());
  CHECK(planned_steps("mesh:3x3,ports=single,duplex=half", "total_exchange").has_value());
}

TEST_CASE("random fabrics and collectives: what is planned holds") {
  std::uint64_t planned = 0;
  for (std::uint64_t seed = reference::first_seed(); seed < reference::first_seed() + (brief ? 300 : 3000); ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const Fabric fabric = reference::random_fabric(dice);
    planned += planned_steps(fabric, reference::random_collective(dice, fabric.processors())) ? 1 : 0;
  }
  CHECK(planned > 10);
}

TEST_CASE("shifts keep no processor and no channel in place") {
  const Fabric ring = parse_fabric({"", "ring:6"}, 0).value();
  const auto permuted = [&](auto image) {
    searching::Permutation permutation(6);
    for (std::uint32_t v = 0; v < 6; ++v) permutation[v] = image(v);
    return permutation;
  };
  const auto turn = [&](std::uint32_t by) { return permuted([&](std::uint32_t v) { return (v + by) % 6; }); };
  const searching::Group turns{"turns", {turn(0), turn(1), turn(2), turn(3), turn(4), turn(5)}};
  const auto shifts = searching::ShiftGroup::make(ring, turns);
  REQUIRE(shifts);
  CHECK(shifts->processor_orbits() == 1);
  CHECK(shifts->channel_orbits() == 2);
  CHECK(shifts->commute());
  const searching::Group halves{"by two", {turn(0), turn(2), turn(4)}};
  CHECK(searching::ShiftGroup::make(ring, halves)->processor_orbits() == 2);
  const searching::Group reflection{"reflection", {turn(0), permuted([](std::uint32_t v) { return (6 - v) % 6; })}};
  CHECK(!searching::ShiftGroup::make(ring, reflection));
}

}  // namespace quadrille::tests
