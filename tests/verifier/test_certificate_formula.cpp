// The judge's formula: has it a solution exactly where there is a schedule? And does the judge accept a solver's proof?
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/fabric_notation.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "tests/verifier/every_schedule.h"
#include "tests/verifier/hand_tables.h"
#include "tests/verifier/solve_formula.h"
#include "verifier/certificate/formulas/formula.h"
#include "verifier/check.h"

namespace quadrille::tests {
namespace {

constexpr std::uint64_t most_work = 6'000;

Certificate question(const Fabric& fabric, const Collective& collective, std::uint32_t steps) {
  return {fabric, collective, steps, false, false, std::nullopt, ProofFile{"proof", std::nullopt, {}}};
}

// Compares formula and reference for 0 … 4 steps, in all ways to inject and to divide into phases. The number of
// comparisons that were not too much work.
int compare(const Fabric& fabric, const Collective& collective) {
  int compared = 0;
  for (std::uint32_t steps = 0; steps <= 4; ++steps) {
    for (const unsigned ways : {0U, 1U, 2U, 3U}) {
      for (std::uint32_t phases = 0; phases <= (fabric.rules().queue.limit ? 0 : steps); ++phases) {
        Certificate asked = question(fabric, collective, steps);
        asked.inject_once = (ways & 1U) != 0;
        asked.paths_kept = (ways & 2U) != 0;
        if (phases > 0) asked.phases = phases;
        const auto expected = schedule_exists(asked, most_work);
        if (!expected) continue;
        ++compared;
        CAPTURE(claim_text(asked));
        const Solved answer = solve(asked);
        REQUIRE(answer.solvable == *expected);
        if (answer.solvable) continue;
        const CertificateReport report = judge_proof(asked, answer.proof);
        CAPTURE(report.why);
        REQUIRE(report.verdict == CertificateVerdict::accepted);
      }
    }
  }
  return compared;
}

TEST_CASE("the formula has a solution where there is a schedule, and nowhere else") {
  int compared = 0;
  for (const std::string shape :
       {"line:2", "line:3", "ring:3", "ring:4", "star:3", "fat_tree:levels=1", "fat_tree:levels=2", "line:3,capacity=2",
        "fat_tree:levels=2,capacity=exponential",
        R"(graph:{"processors":2,"switches":["a","b"],"links":[[0,"a"],["a","b"],["b",1],[0,"b"]]})",
        R"(graph:{"processors":2,"switches":["a"],"channels":[[0,"a",1],["a",0,2],[1,"a",2],["a",1,1]]})",
        R"(graph:{"processors":3,"channels":[[0,1],[1,2],[2,0]]})",  // from here on links go one way
        R"(graph:{"processors":3,"channels":[[2,1],[1,0,2],[0,1]]})",
        R"(graph:{"processors":2,"switches":["a","b"],"channels":[[0,"a"],[1,"a"],["a","b"],["b",0],["b",1]]})"}) {
    for (const std::string rules : {"", ",duplex=half", ",ports=single", ",duplex=half,ports=single", ",queue=none",
                                    ",queue=1", ",queue=1,ports=single"}) {
      const Fabric fabric = parse_fabric({"", shape + rules}, 0).value();
      for (const std::string name : {"broadcast", "scatter", "gather", "allgather", "total_exchange"}) {
        if (brief && fabric.processors() > 3) continue;
        const Collective collective = parse_collective({"", name}, 0, fabric.processors()).value();
        compared += compare(fabric, collective);
      }
    }
  }
  MESSAGE(compared, " questions compared");
  CHECK(compared > (brief ? 500 : 1000));
}

TEST_CASE("so it has where switches forward") {
  int compared = 0;
  for (const std::string shape :
       {"star:3", "star:3,capacity=2", "fat_tree:levels=1", "fat_tree:levels=2",
        R"(graph:{"processors":2,"switches":["a","b"],"links":[[0,"a"],["a","b"],["b",1],[0,"b"]]})",
        R"(graph:{"processors":3,"switches":["a"],"links":[[0,1],[0,"a"],[1,"a"],[2,"a",2]]})",
        R"(graph:{"processors":2,"switches":["a","b"],"channels":[[0,"a"],[1,"a"],["a","b"],["b",0],["b",1]]})"}) {
    for (const std::string rules : {"", ",ports=single", ",duplex=half,queue=1", ",queue=none", ",queue=1"}) {
      const Fabric fabric = parse_fabric({"", shape + rules + ",switches=forward"}, 0).value();
      for (const std::string name : {"broadcast", "gather", "allgather"}) {
        compared += compare(fabric, parse_collective({"", name}, 0, fabric.processors()).value());
      }
    }
  }
  MESSAGE(compared, " questions compared");
  CHECK(compared > 500);
}

// A few chunks, each from one or two processors to one or two others.
Collective random_chunks(reference::Dice& dice, std::uint32_t processors) {
  CollectiveDescription description;
  description.kind = CollectiveKind::custom;
  const std::uint32_t chunks = dice.from_to(1, 4);
  for (std::uint32_t i = 0; i < chunks; ++i) {
    CustomChunk chunk{{0, std::nullopt, i}, {dice.below(processors)}, {dice.below(processors)}};
    if (dice.one_in(4)) chunk.wanted_by.push_back(dice.below(processors));
    if (dice.one_in(4)) chunk.held_by.push_back(dice.below(processors));
    for (auto* list : {&chunk.held_by, &chunk.wanted_by}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    description.chunks.push_back(chunk);
  }
  return Collective::make(description, processors).value();
}

TEST_CASE("so it has on random fabrics with random chunks") {
  int compared = 0;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + 150; ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const Fabric fabric = reference::random_fabric(dice);
    if (fabric.nodes() > 7) continue;
    compared += compare(fabric, random_chunks(dice, fabric.processors()));
  }
  MESSAGE(compared, " questions compared");
  CHECK(compared > 500);
}

TEST_CASE("variables and clauses are numbered as FORMULA.md says") {
  // 0 -> 1 on a line of two, two steps: hop 1, 2; at 3, 4.
  const Fabric fabric = parse_fabric({"", "line:2"}, 0).value();
  const Collective collective = parse_collective({"", "broadcast"}, 0, 2).value();
  CHECK(formula_text(question(fabric, collective, 2), ProofFile::About::copies) ==
        "p cnf 4 4\n"
        "-3 1 0\n"     // at(1) came
        "-4 3 2 0\n"   // at(2) stayed or came
        "4 0\n"        // the demand
        "-1 -2 0\n");  // once is enough
}

TEST_CASE("where queues are limited, packets get out of one another's way") {
  const Fabric fabric = parse_fabric({"", "star:4,duplex=half,queue=none"}, 0).value();
  CollectiveDescription description;
  description.kind = CollectiveKind::custom;
  for (const auto& [from, to] : {std::pair(0U, 3U), {0U, 2U}, {1U, 2U}, {2U, 0U}, {0U, 2U}}) {
    const auto part = static_cast<std::uint32_t>(description.chunks.size());
    description.chunks.push_back({{from, to, part}, {from}, {to}});
  }
  const Collective chunks = Collective::make(description, 4).value();
  const std::string hub = "1.0";
  const ChunkName a{0, 3, 0}, b{0, 2, 1}, c{1, 2, 2}, d{2, 0, 3}, e{0, 2, 4};
  const SendTable table = table_of(fabric, chunks,
                                   {{1, "0", hub, a},
                                    {2, hub, "3", a},
                                    {2, "0", hub, b},
                                    {3, hub, "2", b},
                                    {1, "1", hub, c},
                                    {2, hub, "2", c},
                                    {3, "0", hub, e},
                                    {4, hub, "2", e},
                                    {1, "2", hub, d},
                                    {2, hub, "1", d},
                                    {3, "1", hub, d},
                                    {4, hub, "0", d}});
  CHECK(check(table).verdict == Verdict::holds);
  CHECK(solve(question(fabric, chunks, 4)).solvable);
}

TEST_CASE("a formula that is too large is unknown") {
  const Fabric fabric = parse_fabric({"", "ring:8"}, 0).value();
  const Collective collective = parse_collective({"", "allgather"}, 0, 8).value();
  std::size_t at = 0;
  const std::string proof = "0\n";
  const CertificateReport report =
      judge(question(fabric, collective, 3), {.proof = reader_of(proof, at), .limits = {.memory = 10'000}});
  CHECK(report.verdict == CertificateVerdict::unknown);
  CHECK(report.reason == Reason::limit);
  CHECK(judge_proof(question(fabric, collective, 0x7fffffff), proof).verdict == CertificateVerdict::unknown);
}

TEST_CASE("the judge can be stopped") {
  const Fabric fabric = parse_fabric({"", "ring:8"}, 0).value();
  const Collective collective = parse_collective({"", "allgather"}, 0, 8).value();
  std::size_t at = 0;
  const std::string proof = "0\n";
  const CertificateReport report =
      judge(question(fabric, collective, 4), {.proof = reader_of(proof, at), .limits = stopped_limits()});
  CHECK(report.verdict == CertificateVerdict::unknown);
  CHECK(report.why == "cancelled");
}

}  // namespace
}  // namespace quadrille::tests
