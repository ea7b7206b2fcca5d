// Frontiers in steps beside the definition of phases (model/MODEL.md), by trying every schedule: no point that is said
// to be optimal can be beaten, no number of steps is passed over that would save something, and every table keeps to
// its point.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "driver/search/search.h"
#include "model/fabric_notation.h"
#include "tests/driver/memory_environment.h"
#include "tests/environment.h"
#include "tests/reference/phased_schedules.h"
#include "tests/reference/random_tables.h"
#include "tests/verifier/stop_after.h"
#include "verifier/check.h"
#include "verifier/search/heuristics/injection.h"

namespace quadrille::driver {
namespace {

using tests::brief;
using tests::long_run;

constexpr std::uint32_t most_steps = 4;
constexpr std::uint32_t most_volume = 6;

Result<FrontierOutcome> frontier(const std::string& on, const std::string& what, const Limits& limits = {}) {
  MemoryEnvironment environment;
  Context context{environment, limits};
  return run(FrontierRequest{{.collective = what, .on = on}}, context);
}

// "1:3 2:2!", a point each: steps, volume, and whether that is optimal.
std::string points_of(const std::string& on, const std::string& what) {
  std::string text;
  const auto outcome = frontier(on, what);
  if (!outcome) return outcome.diagnostics().front().message;
  for (const FrontierPoint& point : outcome->points) {
    text += (text.empty() ? "" : " ") + std::to_string(point.steps) + ":" + std::to_string(point.result.steps);
    if (point.result.verdict == SearchVerdict::optimal) text += "!";
  }
  return text;
}

TEST_CASE("what arrives in a step leaves in a later one, of reductions too") {
  CHECK(points_of("complete:4,ports=single", "reduce") == "1:3! 2:2!");
  CHECK(points_of("complete:4,ports=single", "reduce_scatter") == "1:3!");
  CHECK(points_of("line:3,ports=single", "allreduce") == "2:4 3:3");
  CHECK(points_of("complete:3,ports=single", "allreduce") == "1:2!");
}

TEST_CASE("limited queues are refused, and say what --volume says of them") {
  const std::string why = "steps of more volume than one are for fabrics without limits on queues";
  CHECK(points_of("star:3,queue=none", "gather") == why);
  CHECK(points_of("star:3,queue=none", "scatter") == why);
  CHECK(points_of("mesh:3,queue=2", "broadcast:root=0,parts=2") == why);
  MemoryEnvironment environment;
  Context context{environment};
  const auto one =
      run(SearchRequest{.collective = "gather", .on = "star:3,queue=none", .steps = 2, .volume = 4}, context);
  REQUIRE_FALSE(one);
  CHECK(one.diagnostics().front().message == why);
}

// --- the reference --------------------------------------------------------------------------------------------------

// The least volume of so many steps, up to most_volume; 0 if that is not enough; nothing if it is too much work.
std::optional<std::uint32_t> least_volume(const FrontierOutcome& outcome, std::uint32_t steps,
                                          std::uint64_t most_work) {
  for (std::uint32_t volume = 0; volume <= most_volume; ++volume) {
    const auto exists = reference::phased_schedule_exists(outcome.fabric, outcome.collective, steps, volume, most_work);
    if (!exists) return std::nullopt;
    if (*exists) return std::max(volume, 1U);
  }
  return 0;
}

void require_right_table(const FrontierPoint& point) {
  if (!point.result.table) return;
  const Report report = check(*point.result.table);
  REQUIRE(report.verdict == Verdict::holds);
  REQUIRE(report.steps == point.result.steps);
  REQUIRE(searching::phases_of(*point.result.table) <= point.steps);
}

// How many numbers of steps were compared.
int compare(const FrontierOutcome& outcome, std::uint64_t most_work) {
  int compared = 0;
  std::optional<std::uint32_t> before;  // the least volume of fewer steps that the frontier tells
  auto point = outcome.points.begin();
  for (std::uint32_t steps = 1; steps <= most_steps; ++steps) {
    CAPTURE(steps);
    if (point == outcome.points.end() && outcome.reason != Reason::none) break;  // it was cut short
    const auto least = least_volume(outcome, steps, most_work);
    const bool listed = point != outcome.points.end() && point->steps == steps;
    if (least) {
      ++compared;
      const std::uint32_t volume = listed ? point->result.steps : before.value_or(0);
      CAPTURE(*least);
      CAPTURE(volume);
      // Passed over, or optimal: nothing is less. What is found is no less than what there is.
      const bool told = !listed || point->result.verdict == SearchVerdict::optimal;
      if (told && *least > 0) REQUIRE(volume == *least);
      if (volume > 0 && volume <= most_volume) REQUIRE(*least > 0);
      if (volume > 0 && *least > 0) REQUIRE(volume >= *least);
      if (listed && point->result.verdict == SearchVerdict::impossible) REQUIRE(*least == 0);
    }
    if (!listed) continue;
    require_right_table(*point);
    if (point->result.steps > 0) before = point->result.steps;
    ++point;
  }
  return compared;
}

const std::vector<std::string> shapes = {"line:2",     "line:3",           "line:4", "ring:3",
                                         "ring:4",     "complete:4",       "star:3", "star:3,switches=reduce",
                                         "complete:3", "line:3,capacity=2"};
const std::vector<std::string> collectives = {"broadcast:root=1",
                                              "scatter",
                                              "gather",
                                              "allgather",
                                              "total_exchange",
                                              "reduce",
                                              "reduce:ordered",
                                              "reduce_scatter",
                                              "allreduce",
                                              "allreduce:ordered",
                                              "barrier",
                                              "allreduce:idempotent",
                                              "prefix"};

TEST_CASE("no frontier can be beaten, and none passes over what saves something") {
  const std::uint64_t seed = reference::first_seed();
  const std::uint64_t most_work = long_run() ? 5'000'000 : 200'000;
  const std::uint32_t one_in = long_run() ? 1 : brief ? 100 : 20;
  reference::Dice dice(seed);
  int compared = 0;
  for (const std::string& shape : shapes) {
    for (const std::string rules : {"", ",duplex=half", ",ports=single", ",duplex=half,ports=single"}) {
      for (const std::string& name : collectives) {
        for (const std::string parts : {"", "parts=2"}) {
          if (!dice.one_in(one_in) || (name == "barrier" && !parts.empty())) continue;
          const std::string what =
              parts.empty() ? name : name + (name.find(':') == std::string::npos ? ":" : ",") + parts;
          const std::string on = shape + rules;
          CAPTURE(on);
          CAPTURE(what);
          const auto outcome = frontier(on, what, tests::stop_after(long_run() ? 2000 : 100));  // some are hard
          REQUIRE(outcome);
          compared += compare(*outcome, most_work);
        }
      }
    }
  }
  MESSAGE(compared, " numbers of steps compared, from seed ", seed);
  CHECK(compared > (brief ? 3 : 30));
}

}  // namespace
}  // namespace quadrille::driver
