// Searches in rounds, compared with trying everything on small random fabrics, and with what is known of large ones.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "model/fabric_notation.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "tests/reference/reference_check.h"
#include "tests/verifier/every_round_schedule.h"
#include "tests/verifier/round_questions.h"
#include "verifier/check.h"
#include "verifier/search.h"

namespace quadrille::tests {
namespace {

constexpr std::uint64_t most_work = 200000;

Fabric fabric_of(const std::string& notation) { return parse_fabric({"", notation}, 0).value(); }

SearchResult search_on(const std::string& on, const std::string& what) {
  const Fabric fabric = fabric_of(on);
  return search(fabric, parse_collective({"", what}, 0, fabric.processors()).value(), {}, {});
}

// Whether each solution of the formula is a schedule (verifier/search/rounds/rounds.h), but where a message might have
// to pass one processor twice.
bool solutions_are_schedules(const Fabric& fabric, const Collective& collective) {
  if (messages_may_join(fabric, collective)) {
    return collective.kind() == CollectiveKind::reduce && collective.operation() != Operation::ordered &&
           links_alike(fabric) && fabric.rules().paths == Paths::shared;
  }
  if (collective.combining() || !fabric.has_switches()) return true;
  return !fabric.switches_forward() && fabric.rules().paths == Paths::shared;
}

struct Counts {
  int optimal = 0;
  int impossible = 0;
  int compared = 0;
  int open = 0;
};

void compare(const Fabric& fabric, const Collective& collective, const SearchGoal& goal, Counts& counts) {
  const SearchResult result = search(fabric, collective, goal, {});
  if (result.table) {
    const reference::Findings findings = reference::judge(*result.table);
    REQUIRE(findings.verdict == Verdict::holds);
    REQUIRE(findings.steps == result.steps);
  }
  if (result.verdict == SearchVerdict::optimal) ++counts.optimal;
  if (result.verdict == SearchVerdict::impossible) ++counts.impossible;
  if (result.verdict == SearchVerdict::found || result.verdict == SearchVerdict::unknown) {
    REQUIRE((goal.steps || !solutions_are_schedules(fabric, collective)));
    ++counts.open;
  }
  // What is said to be impossible is, by trying.
  const std::uint64_t too_few = result.lower_bound ? *result.lower_bound - (*result.lower_bound > 0 ? 1 : 0) : 4;
  if (!result.lower_bound || *result.lower_bound > 0) {
    const auto exists = round_schedule_exists(
        fabric, collective, static_cast<std::uint32_t>(std::min<std::uint64_t>(too_few, 4)), most_work);
    if (exists) {
      REQUIRE_FALSE(*exists);
      ++counts.compared;
    }
  }
  if (!solutions_are_schedules(fabric, collective) || result.verdict != SearchVerdict::optimal) return;
  const auto exists = round_schedule_exists(fabric, collective, result.steps, most_work);
  if (exists) REQUIRE(*exists);
}

TEST_CASE("searches in rounds find what trying everything finds") {
  Counts counts;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + (brief ? 60 : 1000); ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const Fabric fabric = random_fabric_in_rounds(dice);
    const Collective collective = reference::random_collective(dice, fabric.processors());
    if (fabric.channels() > 12) continue;
    CAPTURE(fabric.notation());
    CAPTURE(collective.notation());
    SearchGoal goal;
    if (dice.one_in(5)) goal.steps = dice.from_to(1, 3);
    compare(fabric, collective, goal, counts);
  }
  MESSAGE(counts.optimal, " optimal, ", counts.impossible, " impossible, ", counts.open, " open, ", counts.compared,
          " lower bounds compared, from seed ", first);
  CHECK(counts.optimal > (brief ? 12 : 300));
  CHECK(counts.compared > (brief ? 12 : 300));
}

TEST_CASE("all-gather, total exchange and barrier among neighbours with single ports take the doublings") {
  for (const std::string what : {"allgather", "total_exchange", "barrier", "reduce_scatter"}) {
    for (const auto& asked : {std::pair("complete:4", 2U), {"complete:5", 3U}, {"hypercube:3", 3U}}) {
      const std::string on = asked.first;
      CAPTURE(what);
      CAPTURE(on);
      const SearchResult result = search_on(on + ",ports=single,timing=rounds", what);
      CHECK(result.verdict == SearchVerdict::optimal);
      CHECK(result.steps == asked.second);
    }
  }
}

TEST_CASE("a message holds its whole way, and shared ways cost nothing") {
  // Along a line the ends exchange by the same lanes as the neighbours.
  CHECK(search_on("mesh:1x4,timing=rounds", "broadcast:root=0").steps == 2);
  const SearchResult held = search_on("ring:5,timing=rounds", "total_exchange");
  CHECK(held.verdict == SearchVerdict::optimal);
  CHECK(held.steps == 2);
  const SearchResult shared = search_on("ring:5,timing=rounds,paths=shared", "total_exchange");
  CHECK(shared.verdict == SearchVerdict::optimal);
  CHECK(shared.steps == 1);
}

TEST_CASE("messages branch at switches, where chunks are copied") {
  const SearchResult broadcast = search_on("star:6,ports=single,timing=rounds", "broadcast:root=2");
  CHECK(broadcast.verdict == SearchVerdict::optimal);
  CHECK(broadcast.steps == 1);
  const SearchResult gather = search_on("star:6,ports=single,timing=rounds", "allgather");
  CHECK(gather.verdict == SearchVerdict::optimal);
  CHECK(gather.steps == 2);  // the switch hears all of them, and tells all
}

TEST_CASE("where switches forward, a message has one receiver; what copies is copied where they reduce") {
  // The formula lets a switch send to all: that those who have a chunk no more than double says what that is not.
  const std::string forward = ",ports=single,timing=rounds,switches=forward";
  const std::string on = "fat_tree:levels=3,capacity=exponential" + forward;
  const SearchResult broadcast = search_on(on, "broadcast:root=2");
  CHECK(broadcast.verdict == SearchVerdict::optimal);
  CHECK(broadcast.steps == 3);
  CHECK(search_on(on, "allgather").lower_bound == 3);
  // Contributions go one by one.
  for (const std::string what : {"prefix", "allreduce", "reduce:ordered", "exclusive_prefix"}) {
    CAPTURE(what);
    const SearchResult tree = search_on(on, what);
    CHECK(tree.verdict == SearchVerdict::optimal);
    CHECK(tree.steps == 2);
  }
  const SearchResult unicast = search_on("star:4,timing=rounds,switches=forward", "scatter:root=2");
  CHECK(unicast.verdict == SearchVerdict::optimal);
  const SearchResult reduce = search_on("star:6,ports=single,timing=rounds,switches=reduce", "broadcast:root=2");
  CHECK(reduce.verdict == SearchVerdict::optimal);
  CHECK(reduce.steps == 1);
}

TEST_CASE("messages join where switches reduce: what is broadcast time-reversed takes as many rounds") {
  struct Known {
    std::string on;
    std::string what;
    std::uint32_t rounds;
  };
  for (const Known& known : {Known{"star:6,ports=single", "reduce:root=2", 1},
                             {"star:6,ports=single,paths=shared", "reduce:root=2,parts=3", 1},
                             {"star:4,ports=single", "reduce_scatter", 2},
                             {"star:4,ports=single", "barrier", 2},
                             {"star:4,ports=single", "allreduce", 2},
                             {"fat_tree:levels=2,capacity=1,1,ports=single", "reduce", 1},
                             {"fat_tree:levels=2,capacity=1,2", "reduce_scatter", 2},
                             {"mesh:1x4", "reduce", 2}}) {
    CAPTURE(known.on);
    CAPTURE(known.what);
    const SearchResult result = search_on(known.on + ",timing=rounds,switches=reduce", known.what);
    CHECK(result.verdict == SearchVerdict::optimal);
    CHECK(result.steps == known.rounds);
  }
}

TEST_CASE("idempotent operations and exclusive prefixes in rounds have the bounds of what is heard") {
  const SearchResult barrier = search_on("ring:6,ports=single,timing=rounds", "barrier");
  CHECK(barrier.verdict == SearchVerdict::optimal);
  CHECK(barrier.steps == 3);
  const SearchResult exclusive = search_on("complete:4,timing=rounds", "exclusive_prefix");
  CHECK(exclusive.verdict == SearchVerdict::optimal);
  CHECK(exclusive.steps == 1);
}

}  // namespace
}  // namespace quadrille::tests
