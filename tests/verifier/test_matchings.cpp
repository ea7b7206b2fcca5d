// Matchings step by step: what they make must be schedules, and short ones.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <optional>
#include <string>

#include "model/fabric_notation.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "verifier/bounds.h"
#include "verifier/check.h"
#include "verifier/search/heuristics/schedules.h"
#include "verifier/search/problem/rows.h"

namespace quadrille::tests {
namespace {

Collective collective_on(const Fabric& fabric, const std::string& what) {
  return parse_collective({"", what}, 0, fabric.processors()).value();
}

// The steps of the last schedule; each must hold, and be shorter than the one before.
std::optional<std::uint64_t> steps(const Fabric& fabric, const Collective& collective,
                                   std::uint64_t most_work = std::uint64_t{1} << 28) {
  std::optional<std::uint64_t> last;
  Watch watch{Limits{}};
  const auto bounds = lower_bounds(fabric, collective);
  if (bounds.front().impossible()) return std::nullopt;
  const std::uint64_t bound = *bounds.front().steps;
  const auto moves = searching::moves_within(fabric, collective, false, watch);
  searching::matched_schedules(
      fabric, moves, bound, watch,
      [&](std::vector<searching::StepRow> rows) {
        const Report report = check(searching::table_of(fabric, collective, "matchings", std::move(rows)));
        CHECK(report.verdict == Verdict::holds);
        CHECK(report.steps >= bound);
        if (last) CHECK(report.steps < *last);
        last = report.steps;
        return true;
      },
      most_work);
  return last;
}

std::optional<std::uint64_t> allgather_steps(const std::string& on) {
  const Fabric fabric = parse_fabric({"", on}, 0).value();
  return steps(fabric, collective_on(fabric, "allgather"));
}

}  // namespace

TEST_CASE("odd meshes take 2n steps in half duplex, as many as the bound says") {
  CHECK(allgather_steps("mesh:3x5,ports=single,duplex=half") == 30);
  CHECK(allgather_steps("mesh:3x7,ports=single,duplex=half") == 42);
  CHECK(allgather_steps("mesh:5x5,ports=single,duplex=half") == 50);
  CHECK(allgather_steps("mesh:3x3x3,ports=single,duplex=half") == 54);
}

TEST_CASE("what has a Hamiltonian cycle takes n - 1 steps in full duplex, and 2(n - 1) or 2n in half") {
  CHECK(allgather_steps("hypercube:4,ports=single") == 15);
  CHECK(allgather_steps("hypercube:3,ports=single,duplex=half") == 14);
  CHECK(allgather_steps("ring:7,ports=single") == 6);
  CHECK(allgather_steps("torus:3x3,ports=single,duplex=half") == 18);
}

TEST_CASE("Petersen's graph, which has no Hamiltonian cycle, takes 18 steps in half duplex") {
  std::string links;
  const auto link = [&](int a, int b) { links += fmt::format("{}[{},{}]", links.empty() ? "" : ",", a, b); };
  for (int i = 0; i < 5; ++i) {
    link(i, (i + 1) % 5);
    link(i, i + 5);
    link(i + 5, (i + 2) % 5 + 5);
  }
  const std::string notation = fmt::format(R"(graph:{{"processors":10,"links":[{}]}},ports=single,duplex=half)", links);
  const Fabric petersen = parse_fabric({"", notation}, 0).value();
  CHECK(steps(petersen, collective_on(petersen, "allgather")) == 18);
}

TEST_CASE("there are none with several ports, with switches, in rounds, and of scatters") {
  CHECK_FALSE(allgather_steps("hypercube:3"));
  CHECK_FALSE(allgather_steps("star:5,ports=single"));
  const Fabric ring = parse_fabric({"", "ring:5,ports=single"}, 0).value();
  CHECK_FALSE(steps(ring, collective_on(ring, "scatter")));
}

TEST_CASE("broadcasts of parts, and lists that want all everywhere, are served, too") {
  const Fabric ring = parse_fabric({"", "ring:6,ports=single,duplex=half"}, 0).value();
  CHECK(steps(ring, collective_on(ring, "broadcast:parts=3")));
  CHECK(steps(ring, collective_on(ring, "allgather:parts=2")));
}

TEST_CASE("matchings hold on random fabrics with single ports, one-way links and unequal lanes included") {
  int held = 0;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + (long_run() ? 20'000 : 2'000); ++seed) {
    reference::Dice dice(seed);
    const Fabric fabric = reference::random_fabric(dice);
    const Collective collective = reference::random_collective(dice, fabric.processors());
    if (collective.combining() || fabric.in_rounds()) continue;
    INFO("QUADRILLE_SEED=" << seed << " " << fabric.notation() << " " << collective.notation());
    if (steps(fabric, collective, 1 << 19)) ++held;
  }
  MESSAGE(held, " questions are served, from seed ", first);
  CHECK(held > 20);
}

}  // namespace quadrille::tests
