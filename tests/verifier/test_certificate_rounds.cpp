// Certificates of schedules in rounds: the judge writes the search's formula, counts as the bounds do, and refuses what
// is not so.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/fabric_notation.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "tests/verifier/every_round_schedule.h"
#include "tests/verifier/round_questions.h"
#include "tests/verifier/solve_formula.h"
#include "verifier/search.h"

namespace quadrille::tests {
namespace {

TEST_CASE("in rounds the search and the judge write the same formula, which no schedule contradicts") {
  int formulas = 0;
  int refuted = 0;
  int joined[2] = {};  // questions about messages that join: without, with such a schedule
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + (brief ? 60 : 600); ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    Fabric fabric = random_fabric_in_rounds(dice);
    const Collective collective = reference::random_collective(dice, fabric.processors());
    if (collective.combining() && links_alike(fabric) && dice.one_in(2)) {
      Rules rules = fabric.rules();
      rules.switches = Switching::reduce;
      fabric = fabric.with_rules(rules);
    }
    const bool joins = messages_may_join(fabric, collective);
    if (fabric.channels() > 24 || (joins && !links_alike(fabric))) continue;
    CAPTURE(fabric.notation());
    CAPTURE(collective.notation());
    for (std::uint32_t T = 1; T <= 3; ++T) {
      const Certificate asked = question_in_rounds(fabric, collective, T);
      REQUIRE(clauses_of_search(asked) == clauses_of_judge(asked));
      ++formulas;
      if (T > 2 || fabric.channels() > 10) continue;  // others may take long
      const Solved answer = solve(asked);
      if (answer.solvable && !joins) continue;
      const auto exists = round_schedule_exists(fabric, collective, T, 100000);
      if (joins && exists) ++joined[*exists];
      if (exists) REQUIRE(*exists == answer.solvable);
      if (answer.solvable) continue;
      REQUIRE(judge_proof(asked, answer.proof).verdict == CertificateVerdict::accepted);
      ++refuted;
    }
  }
  MESSAGE(formulas, " formulas, of which ", refuted, " have no solution, from seed ", first);
  MESSAGE("of messages that join ", joined[0], " without a schedule, ", joined[1], " with one");
  CHECK(refuted > (brief ? 10 : 60));
  CHECK((brief || (joined[0] > 5 && joined[1] > 5)));
}

struct Evidence {
  Fabric fabric;
  Collective collective;
  SearchResult result;
};

Evidence search_on(const std::string& on, const std::string& what) {
  const Fabric fabric = parse_fabric({"", on}, 0).value();
  const Collective collective = parse_collective({"", what}, 0, fabric.processors()).value();
  SearchOptions options;
  options.evidence = true;
  return {fabric, collective, search(fabric, collective, {}, options)};
}

TEST_CASE("proofs of too few rounds are accepted, and refused of more rounds or another question") {
  int proofs = 0;
  for (const auto& asked : {std::pair("ring:6,timing=rounds", "total_exchange"),
                            {"mesh:1x5,ports=single,timing=rounds", "broadcast:root=2"},
                            {"ring:5,timing=rounds,duplex=half", "allgather"},
                            {"star:4,timing=rounds,paths=shared,ports=single", "allgather"},
                            {"fat_tree:levels=2,capacity=1,2,timing=rounds,switches=reduce", "reduce_scatter"},
                            {"star:3,timing=rounds,switches=reduce,duplex=half", "reduce_scatter"},
                            {"mesh:2x3,timing=rounds,ports=single,duplex=half", "reduce"}}) {
    const std::string on = asked.first;
    const std::string what = asked.second;
    CAPTURE(on);
    CAPTURE(what);
    const Evidence it = search_on(on, what);
    CHECK(it.result.verdict == SearchVerdict::optimal);
    REQUIRE(it.result.impossibility);
    const Impossibility& impossible = *it.result.impossibility;
    if (!impossible.by_formula) continue;
    ++proofs;
    CHECK(impossible.about == FormulaKind::rounds);
    Certificate claim = question_in_rounds(it.fabric, it.collective, impossible.steps);
    CHECK(judge_proof(claim, impossible.proof).verdict == CertificateVerdict::accepted);
    ++claim.steps;
    CHECK(judge_proof(claim, impossible.proof).verdict == CertificateVerdict::rejected);
    CHECK(judge_proof(claim, "").verdict == CertificateVerdict::rejected);
    CHECK(judge_proof(claim, "0\n").verdict == CertificateVerdict::rejected);
  }
  CHECK(proofs >= 3);
}

std::string text_of(const std::string& fabric, const std::string& collective, int steps, const std::string& rest) {
  return "quadrille certificate 1\nfabric " + fabric + "\ncollective " + collective + "\nsteps " +
         std::to_string(steps) + "\n" + rest;
}

CertificateVerdict verdict_of(const std::string& text) {
  const Result<Certificate> certificate = read_certificate({"", text}, 0);
  REQUIRE(certificate);
  return judge(*certificate, {}).verdict;
}

TEST_CASE("doublings are counted anew") {
  const std::string many = "inject many\nevidence doublings\n";
  const std::string single = "complete:9,ports=single,timing=rounds";
  for (const std::string what : {"allgather", "broadcast:root=3", "barrier", "exclusive_prefix", "total_exchange"}) {
    CAPTURE(what);
    const bool prefix = what == "exclusive_prefix";  // the last one hears from 8 others
    CHECK(verdict_of(text_of(single, what, 3, many)) == CertificateVerdict::accepted);
    CHECK(verdict_of(text_of(single, what, 4, many)) == CertificateVerdict::rejected);
    CHECK(verdict_of(text_of("complete:8,ports=single,timing=rounds", what, 3, many)) == CertificateVerdict::rejected);
    CHECK((prefix || verdict_of(text_of("ring:9,timing=rounds", what, 1, many)) == CertificateVerdict::accepted));
    CHECK(verdict_of(text_of("ring:9,timing=rounds", what, 2, many)) == CertificateVerdict::rejected);
    CHECK(verdict_of(text_of("ring:9,timing=rounds,paths=shared", what, 1, many)) == CertificateVerdict::rejected);
  }
  // A message may branch at the switch.
  CHECK(verdict_of(text_of("star:9,ports=single,timing=rounds", "broadcast", 1, many)) == CertificateVerdict::rejected);
  CHECK(verdict_of(text_of("star:9,ports=single,timing=rounds", "allgather", 1, many)) == CertificateVerdict::accepted);
  CHECK(verdict_of(text_of("star:9,ports=single,timing=rounds", "allgather", 2, many)) == CertificateVerdict::rejected);
}

TEST_CASE("where messages join, doublings are counted by whom each tells") {
  const std::string many = "inject many\nevidence doublings\n";
  const std::string star = "star:9,ports=single,timing=rounds,switches=reduce";
  // The switch may tell all, in the second round.
  CHECK(verdict_of(text_of(star, "allreduce", 1, many)) == CertificateVerdict::accepted);
  CHECK(verdict_of(text_of(star, "allreduce", 2, many)) == CertificateVerdict::rejected);
  CHECK(verdict_of(text_of(star, "reduce", 1, many)) == CertificateVerdict::rejected);
  CHECK(verdict_of(text_of(star, "reduce", 0, many)) == CertificateVerdict::accepted);
}

TEST_CASE("what bounds say by doublings, the judge counts as well") {
  int compared = 0;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + (brief ? 100 : 500); ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const Fabric fabric = random_fabric_in_rounds(dice);
    const Collective collective = reference::random_collective(dice, fabric.processors());
    for (const Bound& bound : round_bounds(fabric, collective)) {
      if (bound.kind != BoundKind::doubling) continue;
      Certificate claim = question_in_rounds(fabric, collective, static_cast<std::uint32_t>(*bound.steps - 1));
      claim.evidence = Doublings{};
      CAPTURE(fabric.notation());
      CAPTURE(collective.notation());
      CAPTURE(bound.reason);
      const CertificateReport report = judge(claim, {});
      CAPTURE(report.why);
      REQUIRE(report.verdict == CertificateVerdict::accepted);
      const auto exists = round_schedule_exists(fabric, collective, claim.steps, 100000);
      if (exists) REQUIRE_FALSE(*exists);
      ++compared;
    }
  }
  MESSAGE(compared, " bounds, from seed ", first);
  CHECK(compared > (brief ? 20 : 100));
}

TEST_CASE("certificates say of steps, and of rounds, only what is theirs") {
  const auto refused = [](const std::string& text) { return !read_certificate({"", text}, 0); };
  const std::string rounds = "ring:4,timing=rounds";
  CHECK(refused(text_of(rounds, "allgather", 1, "inject many\nevidence prices\n")));
  CHECK(refused(text_of(rounds, "allgather", 1, "inject many\nevidence proof p\n")));
  CHECK(refused(text_of(rounds, "allgather", 1, "inject many\nevidence proof p\nabout copies\n")));
  CHECK(refused(text_of(rounds, "allgather", 1, "inject once\nevidence doublings\n")));
  CHECK(refused(text_of(rounds, "allgather", 1, "inject many\nphases 1\nevidence doublings\n")));
  CHECK(refused(text_of(rounds, "allgather", 1, "inject many\nevidence doublings\nprice channel 0->1 1: 1\n")));
  CHECK(refused(text_of("ring:4", "allgather", 1, "inject many\nevidence doublings\n")));
  CHECK(refused(text_of("ring:4", "allgather", 1, "inject many\nevidence proof p\nabout rounds\n")));
  CHECK_FALSE(refused(text_of(rounds, "allgather", 1, "inject many\nevidence proof p\nabout rounds\n")));
  // Where messages join, a proof is about links that are alike both ways, and not about volume.
  const std::string joins = "star:4,timing=rounds,switches=reduce,ports=single";
  CHECK_FALSE(refused(text_of(joins, "reduce", 1, "inject many\nevidence doublings\n")));
  CHECK_FALSE(refused(text_of(joins, "reduce", 1, "inject many\nevidence proof p\nabout rounds\n")));
  CHECK(refused(text_of(joins, "reduce", 1, "volume 1\ninject many\nevidence proof p\nabout rounds\n")));
  CHECK_FALSE(refused(text_of(joins, "allgather", 1, "inject many\nevidence doublings\n")));
  // Of certificates that no reader has seen, too.
  Certificate claim =
      question_in_rounds(parse_fabric({"", rounds}, 0).value(), parse_collective({"", "allgather"}, 0, 4).value(), 1);
  claim.evidence = std::vector<Price>{};
  CHECK(judge(claim, {}).verdict == CertificateVerdict::rejected);
}

}  // namespace
}  // namespace quadrille::tests
