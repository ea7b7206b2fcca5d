// Schedules in rounds that a search begins with: trees of messages, by way of one switch, joined on the way.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "model/fabric_notation.h"
#include "tests/environment.h"
#include "tests/reference/reference_check.h"
#include "tests/verifier/round_questions.h"
#include "verifier/check.h"
#include "verifier/search.h"
#include "verifier/search/rounds/rounds.h"
#include "verifier/search/rounds/tables.h"

namespace quadrille::tests {
namespace {

struct Question {
  Fabric fabric;
  Collective collective;
};

Question question_on(const std::string& on, const std::string& what) {
  const Fabric fabric = parse_fabric({"", on}, 0).value();
  return {fabric, parse_collective({"", what}, 0, fabric.processors()).value()};
}

std::uint64_t fewest_by_trees(const Question& asked) {
  Watch watch({});
  std::uint64_t fewest = max_step;
  searching::for_round_trees(asked.fabric, asked.collective, watch, [&](const SendTable& table) {
    const Report report = check(table);
    CHECK(report.verdict == Verdict::holds);
    fewest = std::min(fewest, report.steps);
    return true;
  });
  return fewest;
}

TEST_CASE("trees of messages keep to the rules on random fabrics, and do what they are to do") {
  int held = 0;
  int joined = 0;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + (brief ? 200 : 2000); ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const Fabric fabric = random_fabric_in_rounds(dice);
    const Collective collective = reference::random_collective(dice, fabric.processors());
    if (collective.operation() == Operation::ordered) continue;
    CAPTURE(fabric.notation());
    CAPTURE(collective.notation());
    Watch watch({});
    searching::for_round_trees(fabric, collective, watch, [&](const SendTable& table) {
      const reference::Findings findings = reference::judge(table);
      REQUIRE(findings.verdict == Verdict::holds);
      ++held;
      joined += messages_may_join(fabric, collective) ? 1 : 0;
      return true;
    });
  }
  MESSAGE(held, " schedules hold, of which ", joined, " may join messages, from seed ", first);
  CHECK(held > (brief ? 50 : 500));
  CHECK(joined > (brief ? 2 : 20));
}

TEST_CASE("with single ports trees double those who have heard, or whose contributions have come") {
  const std::string complete = "complete:16,ports=single,timing=rounds";
  CHECK(fewest_by_trees(question_on(complete, "broadcast:root=3")) == 4);
  CHECK(fewest_by_trees(question_on(complete, "reduce:root=3,parts=2")) == 4);
  CHECK(fewest_by_trees(question_on(complete, "gather")) == 4);
  CHECK(fewest_by_trees(question_on(complete, "scatter")) == 4);
  CHECK(fewest_by_trees(question_on(complete, "allreduce")) == 8);
  // Around a switch that copies a message has as many receivers as there are.
  CHECK(fewest_by_trees(question_on("star:16,ports=single,timing=rounds", "broadcast")) == 1);
  CHECK(fewest_by_trees(question_on("star:16,ports=single,timing=rounds", "reduce")) == 4);
  CHECK(fewest_by_trees(question_on("star:16,ports=single,timing=rounds,switches=reduce", "reduce")) == 1);
}

TEST_CASE("by way of a switch that reduces two rounds are enough, where its links are free") {
  for (const std::string what : {"allreduce", "allreduce:idempotent,parts=3", "barrier", "prefix", "reduce_scatter"}) {
    CAPTURE(what);
    const Question asked = question_on("star:5,ports=single,timing=rounds,switches=reduce", what);
    const auto table = searching::hub_table(asked.fabric, asked.collective, NodeId(5));
    REQUIRE(table);
    const reference::Findings findings = reference::judge(*table);
    CHECK(findings.verdict == Verdict::holds);
    CHECK(findings.steps == 2);
  }
  const Question asked = question_on("star:5,timing=rounds,switches=reduce", "exclusive_prefix");
  CHECK_FALSE(searching::hub_table(asked.fabric, asked.collective, NodeId(5)));
}

}  // namespace
}  // namespace quadrille::tests
