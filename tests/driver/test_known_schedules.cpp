// The schedules that ship, as the beginning of a search: it is never worse than the best of them, as `compare` measures
// it, even if there is time for nothing else; and schedules of other collectives are made use of.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "driver/inputs/input.h"
#include "driver/inputs/notations.h"
#include "driver/search/compare.h"
#include "driver/search/known_arguments.h"
#include "driver/search/known_schedules.h"
#include "tests/driver/memory_environment.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "verifier/check.h"
#include "verifier/search.h"

namespace quadrille::driver {
namespace {

// What a search comes to that ends when it has been offered what is known.
SearchResult search_known_only(const Fabric& fabric, const Collective& collective, Context& context) {
  std::stop_source stop;
  SearchOptions options;
  options.limits.stop = stop.get_token();
  options.offer_known = [&](const std::function<bool(SendTable)>& take) {
    offer_known_tables(fabric, collective, context, take);
    stop.request_stop();
  };
  return search(fabric, collective, {}, options);
}

SearchResult search_known_only(const std::string& on, const std::string& what) {
  MemoryEnvironment environment;
  Context context{environment};
  const Fabric fabric = fabric_on(on, {}, context).value();
  return search_known_only(fabric, collective_named(what, fabric.processors(), context).value(), context);
}

TEST_CASE("what is known is found at once, retimed where it has to be") {
  CHECK(search_known_only("hypercube:5", "allreduce").steps == 5);
  // Every leaf switch has four hosts, so that not all can go the same way: 18 steps are the lower bound.
  CHECK(search_known_only("leaf_spine:hosts=16,leaves=4,spines=4", "total_exchange").steps == 18);
  // As many segments as there are parts.
  CHECK(search_known_only("line:6", "broadcast:parts=9").steps == 13);
  // A reduce_scatter, and then an allgather, neither of them time-reversed: links go one way.
  const SearchResult ring =
      search_known_only(R"(graph:{"processors":5,"channels":[[0,1],[1,2],[2,3],[3,4],[4,0]]})", "allreduce:parts=5");
  CHECK(ring.steps == 8);
}

TEST_CASE("on servers of several GPUs, what ships is as short as papers say, or shorter") {
  CHECK(search_known_only("dgx_a100_rails:servers=4", "allreduce").steps <= 6);
  if (tests::sanitized) return;                                           // the others take minutes
  CHECK(search_known_only("rails:servers=16", "allgather").steps == 18);  // the lower bound
  CHECK(search_known_only("dgx_a100_rails:servers=16", "allgather").steps == 18);
  CHECK(search_known_only("dgx2_rails:servers=2", "allreduce").steps < 14);
}

TEST_CASE("between many servers each GPU gets the sums of its share of them") {
  CHECK(search_known_only("dgx_h100_rails:servers=8", "allreduce").steps <= 6);
  CHECK(search_known_only("rail_pod:racks=2,servers=2", "allreduce").steps <= 8);
}

// A Kautz graph of degree 2: no processor is more than 4 hops from another, and links go one way.
TEST_CASE("an allreduce is the search's own reduction, and then its own broadcast, where links go one way") {
  constexpr std::uint32_t n = 24;
  std::vector<std::string> channels;
  for (std::uint32_t u = 0; u < n; ++u) {
    for (const std::uint32_t a : {1U, 2U}) channels.push_back(fmt::format("[{},{}]", u, (3 * n - 2 * u - a) % n));
  }
  MemoryEnvironment environment;
  Context context{environment};
  const std::string graph = fmt::format(R"(graph:{{"processors":{},"channels":[{}]}})", n, fmt::join(channels, ","));
  const Fabric fabric = fabric_on(graph, {}, context).value();
  const Collective allreduce = collective_named("allreduce", n, context).value();
  SearchGoal goal;
  goal.steps = 8;
  const SearchResult result = search(fabric, allreduce, goal, {});
  REQUIRE(result.table);
  CHECK(result.steps <= 8);
  CHECK(check(*result.table).verdict == Verdict::holds);
}

TEST_CASE("as many rings as there are parts are tried, and two lanes for each where parts are free") {
  MemoryEnvironment environment;
  Context context{environment};
  const Fabric fabric = fabric_on("rails:servers=2,gpus=4,timing=rounds", {}, context).value();
  const Collective allreduce = collective_named("allreduce:parts=32", fabric.processors(), context).value();
  const auto schedule = open_shipped_schedule("allreduce_rings", context);
  REQUIRE(schedule.ok());
  const auto tried = [](const std::vector<Arguments>& all, const std::string& name, const std::string& value) {
    return std::ranges::any_of(all, [&](const Arguments& it) { return it.contains(name) && it.at(name) == value; });
  };
  CHECK(tried(every_arguments_for(**schedule, fabric, allreduce, {}), "rings", "4"));
  CHECK(tried(arguments_of_any_parts(**schedule, fabric, allreduce, {}), "lanes", "2"));
}

TEST_CASE("servers are those that the fabric has, or of any size where it has none") {
  MemoryEnvironment environment;
  Context context{environment};
  const auto sizes = [&](const std::string& on, const MachineLevels& levels = {}) {
    const Fabric fabric = fabric_on(on, {}, context).value();
    const Collective allreduce = collective_named("allreduce", fabric.processors(), context).value();
    const auto schedule = open_shipped_schedule("allreduce_hierarchical", context);
    REQUIRE(schedule.ok());
    std::vector<std::string> tried;
    for (const Arguments& it : arguments_of_any_parts(**schedule, fabric, allreduce, {}, {}, levels)) {
      if (it.contains("gpus")) tried.push_back(it.at("gpus"));
    }
    return tried;
  };
  CHECK(sizes("dgx_h100_rails:servers=4,timing=rounds") == std::vector<std::string>{"8"});
  CHECK(sizes("dgx_h100_rails:servers=4,timing=rounds", {4, 2, 4}) == std::vector<std::string>{"4", "8"});
  CHECK(sizes("rail_pod:racks=2,servers=2,gpus=4,spines=2,timing=rounds") == std::vector<std::string>{"4"});
  CHECK(sizes("ring:8,timing=rounds") == std::vector<std::string>{"2", "4"});
  CHECK(sizes("complete:12,timing=rounds") == std::vector<std::string>{"2", "3", "4", "6"});
}

TEST_CASE(
    "weak are those that have fewer lanes than most, where all are near; where there are none, nothing is tried") {
  MemoryEnvironment environment;
  Context context{environment};
  const auto schedule = open_shipped_schedule("allreduce_uneven", context);
  REQUIRE(schedule.ok());
  const auto weak = [&](const std::string& on, const std::vector<std::string>& without) -> std::string {
    const Fabric fabric = fabric_on(on, without, context).value();
    const Collective allreduce = collective_named("allreduce", fabric.processors(), context).value();
    const Arguments arguments = arguments_for(**schedule, fabric, allreduce, {});
    CHECK(suits(**schedule, fabric) == arguments.contains("weak"));
    return arguments.contains("weak") ? arguments.at("weak") : "";
  };
  CHECK(weak("dgx_b200", {"3--nvswitch[0]"}) == "{3}");
  CHECK(weak("dgx_h100", {"3--nvswitch[0]", "5--nvswitch[1]"}) == "{3,5}");
  CHECK(weak("mi300x", {"1--6"}) == "{1,6}");
  CHECK(weak("dgx_h100", {}).empty());
  CHECK(weak("complete:6,timing=rounds", {"0--1", "2--3", "4--5"}).empty());  // all are alike
  CHECK(weak("dgx_h100_rails:servers=2", {"0--rail[0]"}).empty());            // others are far
  CHECK(weak("leaf_spine:hosts=8,leaves=2,spines=2", {"leaf[0]--spine[0]"}).empty());
}

TEST_CASE("sides are those of the grid or torus that the fabric is, also of one that is a machine") {
  MemoryEnvironment environment;
  Context context{environment};
  const auto schedule = open_shipped_schedule("allreduce_on_torus", context);
  REQUIRE(schedule.ok());
  const auto sides = [&](const std::string& on) -> std::string {
    const Fabric fabric = fabric_on(on, {}, context).value();
    const Collective allreduce = collective_named("allreduce", fabric.processors(), context).value();
    const Arguments arguments = arguments_for(**schedule, fabric, allreduce, {});
    return arguments.contains("sides") ? arguments.at("sides") : "";
  };
  CHECK(sides("torus:3x4,timing=rounds") == "[3,4]");
  CHECK(sides("torus:2x3x4") == "[2,3,4]");
  CHECK(sides("mesh:5x2") == "[5,2]");
  CHECK(sides("hypercube:3") == "[2,2,2]");
  CHECK(sides("ring:6") == "[6]");
  CHECK(sides("line:6") == "[6]");
  CHECK(sides("tpu_slice:x=4,y=4,z=4") == "[4,4,4]");
  CHECK(sides("tpu_slice:x=8,y=4,z=4") == "[8,4,4]");
  CHECK(sides("tpu_slice:x=2,y=4,z=4") == "[2,4,4]");
  CHECK(sides("tpu_slice:x=2,y=2,z=1") == "[2,2]");
  CHECK(sides("complete:16").empty());
  CHECK(sides("leaf_spine:hosts=16,leaves=4,spines=4").empty());
  // One channel is missing; one is too many; one goes one way.
  CHECK(sides(R"(graph:{"processors":4,"links":[[0,1],[2,3],[0,2]]})").empty());
  CHECK(sides(R"(graph:{"processors":4,"links":[[0,1],[2,3],[0,2],[1,3]]})") == "[2,2]");
  CHECK(sides(R"(graph:{"processors":4,"links":[[0,1],[2,3],[0,2],[1,3],[0,3]]})").empty());
  CHECK(sides(R"(graph:{"processors":4,"links":[[0,1],[2,3],[0,2]],"channels":[[1,3]]})").empty());
}

TEST_CASE("of a large question the best is soon there") {
  MemoryEnvironment environment;
  Context context{environment};
  const Fabric fabric = fabric_on("torus:6x6", {}, context).value();
  std::vector<std::uint64_t> steps;  // in the order in which they are offered
  offer_known_tables(fabric, collective_named("total_exchange", 36, context).value(), context, [&](SendTable table) {
    table.claims.clear();
    const Report report = check(table);
    if (report.verdict == Verdict::holds) steps.push_back(report.steps);
    return true;
  });
  constexpr std::ptrdiff_t few = 6;
  REQUIRE(steps.size() > few);
  const std::uint64_t best = std::ranges::min(steps);
  CHECK(*std::min_element(steps.begin(), steps.begin() + few) == best);
}

TEST_CASE(
    "off trees, a schedule for trees is tried for as many leaves, not for as many levels as there are processors") {
  MemoryEnvironment environment;
  Context context{environment};
  const Fabric fabric = fabric_on("ring:24", {}, context).value();
  const Collective collective = collective_named("broadcast", fabric.processors(), context).value();
  const auto schedule = open_shipped_schedule("ideal_broadcast", context);
  REQUIRE(schedule.ok());
  CHECK(arguments_for(**schedule, fabric, collective, {}).at("L") == "4");
}

TEST_CASE("a reduce_scatter is a total exchange, where that is shorter") {
  const SearchResult result = search_known_only("leaf_spine:hosts=8,leaves=4,spines=4", "reduce_scatter");
  REQUIRE(result.table);
  CHECK(result.steps <= 10);
  CHECK(check(*result.table).verdict == Verdict::holds);
}

TEST_CASE("what ships for a stricter operation, or does more, serves") {
  CHECK(search_known_only("hypercube:3", "allreduce:idempotent").steps == 3);
  CHECK(search_known_only("hypercube:3", "barrier").steps == 3);
  CHECK(search_known_only("torus:4x4", "prefix:idempotent").steps == 7);
  CHECK(search_known_only("star:16", "reduce:root=0,ordered").steps <= 8);
}

TEST_CASE("what ships for any operation serves an ordered one, if it joins neighbours only") {
  const std::string fabric = "complete:12,ports=single,timing=rounds";
  CHECK(search_known_only(fabric, "allreduce:ordered").steps == 5);
  const SearchResult reduction = search_known_only(fabric, "reduce:root=1,ordered");
  REQUIRE(reduction.table);
  CHECK(reduction.table->collective.ordered());
  CHECK(check(*reduction.table).verdict == Verdict::holds);
}

// What compare measures of an algorithm, where the fabric counts so.
std::optional<std::uint64_t> length_of(const Compared& it, const Fabric& fabric) {
  if (!fabric.in_rounds()) return it.steps;
  return it.first().in_rounds ? std::optional(it.first().in_rounds->rounds) : std::nullopt;
}

// The fewest steps, or rounds, of those that cut messages as is asked.
std::optional<std::uint64_t> best_of(const CompareOutcome& outcome) {
  std::optional<std::uint64_t> best;
  for (const Compared& it : outcome.algorithms) {
    const auto length = length_of(it, outcome.fabric);
    if (it.first().chunks == outcome.collective.description().parts && length)
      best = std::min(best.value_or(*length), *length);
  }
  return best;
}

// Not one that lists its chunks: nothing ships for it.
Collective random_question(reference::Dice& dice, std::uint32_t processors) {
  while (true) {
    Collective collective = reference::random_collective(dice, processors);
    if (!collective.listed()) return collective;
  }
}

TEST_CASE("a search is never worse than the best that compare knows, whatever the collective and its operation") {
  const std::uint64_t first = reference::first_seed();
  const std::uint64_t count = tests::long_run() ? 2000 : tests::share(60);
  int better = 0;
  int compared = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const Fabric fabric = reference::random_fabric(dice);
    if (fabric.processors() < 2) continue;
    const Collective collective = random_question(dice, fabric.processors());
    const std::string what = collective.notation();
    const std::string on = fabric.notation();
    CAPTURE(on);
    CAPTURE(what);
    MemoryEnvironment environment;
    Context context{environment};
    const auto outcome = run(CompareRequest{.collective = what, .on = on}, context);
    REQUIRE(outcome.ok());
    const auto best = best_of(*outcome);
    if (!best) continue;
    ++compared;
    const SearchResult result = search_known_only(fabric, collective, context);
    REQUIRE(result.table);
    CHECK(result.steps <= *best);
    CHECK(result.steps >= result.lower_bound.value());
    CHECK(result.table->collective.notation() == what);
    CHECK(check(*result.table).verdict == Verdict::holds);
    better += result.steps < *best;
  }
  MESSAGE(compared, " compared, ", better, " of them better, from seed ", first);
  CHECK(compared > static_cast<int>(count / 3));
}

}  // namespace
}  // namespace quadrille::driver
