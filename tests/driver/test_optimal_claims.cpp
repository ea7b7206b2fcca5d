// `claim optimal steps`, `rounds`, `volume`: at one size, against what the search finds.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "driver/check/check.h"
#include "driver/inputs/context.h"
#include "driver/search/search.h"
#include "tests/driver/memory_environment.h"

namespace quadrille::driver {
namespace {

// Of the file it.qd with this text; nothing where it cannot be read.
Result<CheckOutcome> checked(const std::string& text, std::vector<std::string> arguments = {}) {
  MemoryEnvironment environment;
  environment.files = {{"it.qd", text}};
  Context context{environment};
  return run(CheckRequest{{"it.qd", std::move(arguments)}}, context);
}

Verdict claims_of(const std::string& text, std::vector<std::string> arguments = {}) {
  const auto outcome = checked(text, std::move(arguments));
  REQUIRE(outcome.ok());
  return outcome->report.of(Property::claims).verdict;
}

const std::string ring =
    "param N in 2..64\nfabric complete(N, ports: single, timing: rounds)\ncollective allgather\n"
    "for t in 1..n-1:\n  at t: for k in processors: send k -> (k + 1) mod n carrying (k - t + 1 + n) mod n\n";

TEST_CASE("what the search finds and shows to be shortest is optimal, and a step more is not") {
  for (const char* on :
       {"ring:4", "ring:5,ports=single", "line:4", "complete:4,ports=single", "mesh:2x3,ports=single"}) {
    for (const char* collective : {"broadcast:root=0", "allgather", "scatter:root=0"}) {
      MemoryEnvironment environment;
      Context context{environment};
      SearchRequest request;
      request.collective = collective;
      request.on = on;
      request.schedule = "found.qd";
      const auto found = run(request, context);
      REQUIRE(found.ok());
      INFO(on << " " << collective);
      REQUIRE(found->result.verdict == SearchVerdict::optimal);
      const std::string text = environment.files.at("found.qd");
      CHECK(claims_of(text + "claim optimal steps\n") == Verdict::holds);
      const auto later = checked(fmt::format("{}at {}: send 0 -> 1\nclaim optimal steps\n",
                                             text.substr(0, text.rfind("claim steps")), found->result.steps + 1));
      REQUIRE(later.ok());
      CHECK(later->only_violated_of_schedule() == Property::claims);
      CHECK(later->report.of(Property::claims).violations == 1);
      CHECK(later->report.verdict == Verdict::violated);
    }
  }
}

TEST_CASE("a bound that is met is enough, and something better that ships refutes") {
  CHECK(claims_of(ring + "claim optimal volume\n", {"N=8"}) == Verdict::holds);
  CHECK(claims_of(ring + "claim optimal rounds\n", {"N=2"}) == Verdict::holds);
  CHECK(claims_of(ring + "claim optimal rounds\n", {"N=8"}) == Verdict::violated);
  CHECK(claims_of(ring + "claim optimal steps\n", {"N=8"}) == Verdict::violated);  // rounds are steps there
  CHECK(claims_of(ring + "claim optimal rounds when N < 4\n", {"N=8"}) == Verdict::holds);
}

TEST_CASE("of a table that does not hold nothing is said") {
  const auto outcome = checked("fabric ring(4)\ncollective broadcast(root: 0)\nsend 0 -> 1\nclaim optimal steps\n");
  REQUIRE(outcome.ok());
  CHECK(outcome->report.verdict == Verdict::violated);
  CHECK(outcome->report.of(Property::claims).verdict == Verdict::unknown);
  CHECK(outcome->report.of(Property::claims).reason == Reason::unsupported);
}

TEST_CASE("the checker alone leaves it unknown, and without claims it is not asked") {
  MemoryEnvironment environment;
  environment.files = {{"it.qd", ring + "claim optimal volume\n"}};
  Context context{environment};
  const auto table = open_table({"it.qd", {"N=4"}}, context);
  REQUIRE(table.ok());
  CHECK(check(*table).verdict == Verdict::unknown);
  CheckRequest request{{"it.qd", {"N=4"}}};
  request.claims = false;
  CHECK(run(request, context)->report.verdict == Verdict::holds);
}

TEST_CASE("optimal is said of steps, rounds and volume only, and is a name elsewhere") {
  CHECK_FALSE(checked("fabric ring(2)\ncollective broadcast(root: 0)\nsend 0 -> 1\nclaim optimal messages\n").ok());
  CHECK_FALSE(checked("fabric ring(2)\ncollective broadcast(root: 0)\nsend 0 -> 1\nclaim optimal steps == 1\n").ok());
  CHECK(claims_of("let optimal = 1\nfabric ring(2)\ncollective broadcast(root: 0)\nsend 0 -> 1\n"
                  "claim steps == optimal\nclaim optimal == 1\n") == Verdict::holds);
}

}  // namespace
}  // namespace quadrille::driver
