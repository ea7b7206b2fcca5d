// Trees of flights: what they make must be schedules, on any fabric without limits on queues.
#include <doctest/doctest.h>

#include <string>

#include "model/fabric_notation.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "verifier/check.h"
#include "verifier/search/heuristics/schedules.h"
#include "verifier/search/problem/rows.h"

namespace quadrille::tests {
namespace {

using searching::joining_trees;
using searching::Next;

// The steps of the schedule, which must hold.
std::uint64_t steps(const std::string& on, const std::string& what, Next next) {
  const Fabric fabric = parse_fabric({"", on}, 0).value();
  const Collective collective = parse_collective({"", what}, 0, fabric.processors()).value();
  const Report report =
      check(searching::table_of(fabric, collective, "trees", joining_trees(fabric, collective, next, nullptr)));
  CHECK(report.verdict == Verdict::holds);
  return report.steps;
}

TEST_CASE("trees on switches that copy come near to what is known, or are shorter") {
  CHECK(steps("star:6", "reduce", Next::nearest) == 5);
  CHECK(steps("fat_tree:levels=3,capacity=constant", "reduce", Next::farthest) <= 9);
  CHECK(steps("fat_tree:levels=3,capacity=constant", "reduce_scatter", Next::farthest) <= 15);
  CHECK(steps("fat_tree:levels=3,capacity=constant", "allreduce", Next::farthest) <= 18);
}

TEST_CASE("the farthest first is no worse than the nearest on a chain of switches") {
  CHECK(steps("fat_tree:levels=4,capacity=constant", "reduce", Next::farthest) <
        steps("fat_tree:levels=4,capacity=constant", "reduce", Next::nearest));
}

TEST_CASE("there are no trees for ordered operations, prefixes and copying collectives") {
  const Fabric fabric = parse_fabric({"", "star:4"}, 0).value();
  for (const std::string what : {"reduce:ordered", "prefix", "exclusive_prefix", "broadcast", "allgather"}) {
    CAPTURE(what);
    const Collective collective = parse_collective({"", what}, 0, 4).value();
    CHECK(joining_trees(fabric, collective, Next::nearest, nullptr).empty());
  }
}

TEST_CASE("trees hold on random fabrics, whatever the ports, the duplex and the switches") {
  int held = 0;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + (long_run() ? 20'000 : 3'000); ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const Fabric fabric = reference::random_fabric(dice);
    const Collective collective = reference::random_collective(dice, fabric.processors());
    if (!collective.combining() || fabric.in_rounds() || fabric.rules().queue.limit) continue;
    CAPTURE(fabric.notation());
    CAPTURE(collective.notation());
    for (const Next next : {Next::nearest, Next::farthest}) {
      auto rows = joining_trees(fabric, collective, next, nullptr);
      if (rows.empty()) continue;
      const Report report = check(searching::table_of(fabric, collective, "trees", std::move(rows)));
      const std::string why = report.violations.empty() ? "" : report.violations.front().message;
      CAPTURE(why);
      CHECK(report.verdict == Verdict::holds);
      ++held;
    }
  }
  MESSAGE(held, " schedules hold, from seed ", first);
  CHECK(held > 20);
}

}  // namespace
}  // namespace quadrille::tests
