// The least time for a size: few rounds for short messages, little volume for long ones; no less than the bound.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "driver/check/check.h"
#include "driver/replay.h"
#include "driver/search/compare.h"
#include "driver/search/search_costs.h"
#include "tests/driver/memory_environment.h"
#include "tests/environment.h"

namespace quadrille::driver {
namespace {

CostSearchOutcome least(const std::string& what, const std::string& on, const std::string& size) {
  MemoryEnvironment environment;
  Context context{environment};
  return run(CostSearchRequest{.collective = what, .on = on, .costs = "Ts=5us,Th=0,Tc=0.1ns", .size = size}, context)
      .value();
}

const std::string single = "complete:8,ports=single,timing=rounds,paths=held";

TEST_CASE("short messages want few rounds, long ones little volume") {
  const CostSearchOutcome small = least("allreduce", single, "8");
  REQUIRE(small.found);
  CHECK(small.found->rounds == 3);
  const CostSearchOutcome large = least("allreduce", single, "1GiB");
  REQUIRE(large.found);
  CHECK(large.found->rounds > 3);
  CHECK(large.found->seconds < 0.19);  // 2·7/8 of it, and some rounds
  CHECK(large.found->seconds >= large.at_least);
}

TEST_CASE("an all-gather by recursive doubling is as good as can be, at every size") {
  for (const std::string size : {"1", "64KiB", "1GiB"}) {
    const CostSearchOutcome outcome = least("allgather", single, size);
    REQUIRE(outcome.found);
    CHECK(outcome.found->rounds == 3);
    CHECK(outcome.found->volume == 7);
    CHECK(outcome.found->seconds >= outcome.at_least);
  }
}

TEST_CASE("long broadcasts are cut into as many segments as is best") {
  const CostSearchOutcome outcome = least("broadcast", single, "64MiB");
  REQUIRE(outcome.found);
  CHECK(outcome.found->table.collective.description().parts > 8);  // the default
}

TEST_CASE("it is never worse than what compare shows, nor better than the bound") {
  const std::string fast_and_slow =
      R"(graph:{"processors":4,"links":[{"from":0,"to":1,"latency":"1us","bandwidth":"100GB/s"},)"
      R"({"from":1,"to":2,"bandwidth":"1GB/s"},[2,3],{"from":3,"to":0,"latency":"0"}]})";
  std::vector<std::string> fabrics{"dgx1", fast_and_slow};
  if (!tests::sanitized) {
    fabrics.insert(fabrics.end(), {"hypercube:3", "torus:3x3", "leaf_spine:hosts=8,leaves=4,spines=2",
                                   fast_and_slow + ",duplex=half"});
  }
  for (const std::string& on : fabrics) {
    for (const std::string what : {"allreduce", "total_exchange", "broadcast", "allgather", "reduce_scatter"}) {
      CAPTURE(on);
      CAPTURE(what);
      MemoryEnvironment environment;
      Context context{environment};
      const auto compared = run(
          CompareRequest{.collective = what, .on = on, .sizes = {"4KiB"}, .costs = "Ts=5us,Th=1us,Tc=0.1ns"}, context);
      REQUIRE(compared.ok());
      const auto outcome = run(
          CostSearchRequest{.collective = what, .on = on, .costs = "Ts=5us,Th=1us,Tc=0.1ns", .size = "4KiB"}, context);
      REQUIRE(outcome.ok());
      REQUIRE(outcome->found);
      CHECK(outcome->found->seconds >= outcome->at_least);
      for (const Compared& it : compared->algorithms) {
        if (it.times.front()) CHECK(outcome->found->seconds <= *it.times.front());
      }
    }
  }
}

TEST_CASE("where links differ, checker and simulator tell the same time, and the slowest link counts") {
  const std::string on = R"(graph:{"processors":2,"links":[{"from":0,"to":1,"latency":"2us","bandwidth":"1GB/s"}]})";
  MemoryEnvironment environment;
  environment.files["one.qd"] =
      "collective broadcast(parts: 4)\nfor p in 0..3: at p + 1: send 0 -> 1 carrying part p\n";
  Context context{environment};
  TableRequest input;
  input.file = "one.qd";
  input.on = on;
  CheckRequest asked{.input = input, .sizes = {"4kB"}, .costs = "Ts=1us,Th=9us,Tc=9ns"};
  const auto checked = run(asked, context);
  REQUIRE(checked.ok());
  CHECK(checked->times.front().value() == doctest::Approx(4 * 4e-6));
  const auto replayed = run(ReplayRequest{.input = input, .sizes = {"4kB"}, .costs = "Ts=1us,Th=9us,Tc=9ns"}, context);
  REQUIRE(replayed.ok());
  CHECK(replayed->times.front().value() == doctest::Approx(4 * 4e-6));
}

TEST_CASE("a comparison tells the same least time, size by size, and no algorithm takes less") {
  const std::vector<std::string> fabrics{"complete:8,ports=single", "ring:6", "torus:2x4"};
  for (const std::string& on : fabrics) {
    CAPTURE(on);
    MemoryEnvironment environment;
    Context context{environment};
    CompareRequest request;
    request.collective = "allgather";
    request.on = on;
    request.sizes = {"8,64KiB,1GiB"};
    const CompareOutcome outcome = run(request, context).value();
    REQUIRE(outcome.at_least.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string size = std::to_string(outcome.sizes[i]);
      CHECK(outcome.at_least[i] == doctest::Approx(least("allgather", on, size).at_least));
      for (const Compared& it : outcome.algorithms) {
        if (it.times[i]) CHECK(*it.times[i] >= outcome.at_least[i] * (1 - 1e-9));
      }
    }
  }
}

}  // namespace
}  // namespace quadrille::driver
