// The volume of rounds: the search and the judge write the same formula, whose answer is what trying everything says;
// and what is found is of the volume that it is said to be.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/fabric_notation.h"
#include "tests/environment.h"
#include "tests/reference/random_tables.h"
#include "tests/reference/reference_check.h"
#include "tests/verifier/every_volume.h"
#include "tests/verifier/round_questions.h"
#include "tests/verifier/solve_formula.h"
#include "verifier/certificate/formulas/rounds.h"
#include "verifier/search.h"

namespace quadrille::tests {
namespace {

constexpr std::uint64_t most_work = 5000;  // some ten milliseconds

TEST_CASE("of a volume the search and the judge write the same formula, which says what trying everything says") {
  int refuted = 0;
  int solved = 0;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + (brief ? 40 : 200); ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const Fabric fabric = random_fabric_in_rounds(dice);
    const Collective collective = reference::random_collective(dice, fabric.processors());
    if (fabric.channels() > 16 || certificate::why_no_volume(fabric) || messages_may_join(fabric, collective)) continue;
    CAPTURE(fabric.notation());
    CAPTURE(collective.notation());
    for (std::uint32_t rounds = 1; rounds <= 2; ++rounds) {
      for (std::uint32_t volume = 1; volume <= 3; ++volume) {
        CAPTURE(rounds);
        CAPTURE(volume);
        const Certificate asked = question_in_rounds(fabric, collective, rounds, volume);
        const Clauses clauses = clauses_of_judge(asked);
        REQUIRE(clauses_of_search(asked) == clauses);
        if (fabric.channels() > 8 || clauses.size() > 20000) continue;  // others may take long
        const Solved answer = solve(asked);
        const auto enough = volume_is_enough(fabric, collective, rounds, volume, most_work);
        if (enough) {
          REQUIRE(answer.solvable == *enough);
          ++(*enough ? solved : refuted);
        }
        if (!answer.solvable) REQUIRE(judge_proof(asked, answer.proof).verdict == CertificateVerdict::accepted);
      }
    }
  }
  MESSAGE(refuted, " times no schedule, ", solved, " times one, from seed ", first);
  CHECK(refuted > (brief ? 5 : 50));
  CHECK(solved > (brief ? 2 : 20));
}

TEST_CASE("what a search finds is of its volume, and less is impossible where it says so") {
  int optimal = 0;
  int open = 0;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + (brief ? 40 : 150); ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    const Fabric fabric = random_fabric_in_rounds(dice);
    const Collective collective = reference::random_collective(dice, fabric.processors());
    if (fabric.channels() > 8) continue;
    CAPTURE(fabric.notation());
    CAPTURE(collective.notation());
    SearchGoal goal;
    goal.phases = dice.from_to(1, 3);
    goal.steps = dice.from_to(1, 4);
    if (*goal.phases > *goal.steps) continue;
    const SearchResult result = search(fabric, collective, goal, {});
    if (result.table) {
      const reference::Findings findings = reference::judge(*result.table);
      REQUIRE(findings.verdict == Verdict::holds);
      REQUIRE(findings.volume.value() == result.steps);
      REQUIRE(findings.steps <= *goal.phases);
    }
    result.verdict == SearchVerdict::unknown ? ++open : ++optimal;
    const std::uint64_t too_little = result.lower_bound ? std::max<std::uint64_t>(*result.lower_bound, 1) - 1 : 4;
    const auto volume = static_cast<std::uint32_t>(std::min<std::uint64_t>(too_little, 4));
    if (volume == 0) continue;
    const auto enough = volume_is_enough(fabric, collective, *goal.phases, volume, most_work);
    if (enough) REQUIRE_FALSE(*enough);
  }
  MESSAGE(optimal, " answered, ", open, " open, from seed ", first);
  CHECK(optimal > (brief ? 5 : 40));
}

struct Evidence {
  Fabric fabric;
  Collective collective;
  SearchResult result;
};

Evidence least_volume(const std::string& on, const std::string& what, std::uint32_t rounds) {
  const Fabric fabric = parse_fabric({"", on}, 0).value();
  const Collective collective = parse_collective({"", what}, 0, fabric.processors()).value();
  SearchOptions options;
  options.evidence = true;
  SearchGoal goal;
  goal.phases = rounds;
  return {fabric, collective, search(fabric, collective, goal, options)};
}

struct Known {
  std::string on;
  std::string what;
  std::uint32_t rounds;
  std::uint32_t volume;
};

TEST_CASE("few rounds take much volume, and what shows it is accepted, but not of a little more") {
  for (const Known& known : {Known{"complete:4,ports=single,timing=rounds", "allgather", 2, 3},
                             {"complete:4,ports=single,timing=rounds", "broadcast:root=0,parts=4", 2, 8},
                             {"complete:4,ports=single,timing=rounds", "broadcast:root=0,parts=4", 3, 6},
                             {"complete:4,ports=single,timing=rounds", "reduce_scatter", 2, 3},
                             {"complete:4,ports=single,timing=rounds", "total_exchange", 2, 4},
                             {"complete:4,ports=single,timing=rounds", "total_exchange", 3, 3},
                             {"ring:4,timing=rounds,paths=shared", "allgather", 1, 2},
                             {"ring:4,timing=rounds,paths=shared", "reduce_scatter", 1, 2},
                             {"ring:4,timing=rounds", "broadcast:root=0,parts=2", 2, 2}}) {
    CAPTURE(known.on);
    CAPTURE(known.what);
    CAPTURE(known.rounds);
    const Evidence it = least_volume(known.on, known.what, known.rounds);
    CHECK(it.result.verdict == SearchVerdict::optimal);
    CHECK(it.result.steps == known.volume);
    REQUIRE(it.result.impossibility);
    REQUIRE(it.result.impossibility->by_formula);
    Certificate claim = question_in_rounds(it.fabric, it.collective, known.rounds, known.volume - 1);
    CHECK(judge_proof(claim, it.result.impossibility->proof).verdict == CertificateVerdict::accepted);
    ++*claim.volume;
    CHECK(judge_proof(claim, it.result.impossibility->proof).verdict == CertificateVerdict::rejected);
    claim.volume = std::nullopt;
    claim.steps = known.rounds;
    CHECK(judge_proof(claim, it.result.impossibility->proof).verdict == CertificateVerdict::rejected);
  }
}

TEST_CASE("too few rounds are too few for any volume") {
  const Evidence it = least_volume("complete:5,ports=single,timing=rounds", "allgather", 2);
  CHECK(it.result.verdict == SearchVerdict::impossible);
  CHECK_FALSE(it.result.lower_bound);
  REQUIRE(it.result.impossibility);
  CHECK(it.result.impossibility->of_any_volume);
  CHECK(it.result.impossibility->steps == 2);
}

TEST_CASE("of shared paths with single ports and switches no formula is about volume") {
  const Evidence it = least_volume("star:4,ports=single,timing=rounds,paths=shared", "total_exchange", 2);
  CHECK(it.result.why == "no formula is about the volume of shared paths with single ports and switches");
}

TEST_CASE("of messages that join no formula is about volume, but a bound may say enough") {
  const Evidence open = least_volume("star:4,timing=rounds,switches=reduce", "allreduce:parts=2", 2);
  CHECK(open.result.why == "no formula is about the volume of messages that join in switches");
  const Evidence met = least_volume("star:4,ports=single,timing=rounds,switches=reduce", "reduce:root=1,parts=3", 2);
  CHECK(met.result.verdict == SearchVerdict::optimal);
  CHECK(met.result.steps == 3);
}

TEST_CASE("certificates name a volume of rounds only, of 1 or more, with a proof") {
  const auto refused = [](const std::string& on, const std::string& rest) {
    return !read_certificate({"", "quadrille certificate 1\nfabric " + on + "\ncollective allgather\n" + rest}, 0);
  };
  const std::string proof = "inject many\nevidence proof p\nabout rounds\n";
  const std::string ring = "ring:4,timing=rounds";
  CHECK_FALSE(refused(ring, "steps 2\nvolume 2\n" + proof));
  CHECK(refused(ring, "steps 2\nvolume 0\n" + proof));
  CHECK(refused(ring, "steps 0\nvolume 2\n" + proof));
  CHECK(refused(ring, "steps 2\nvolume 2\ninject many\nevidence doublings\n"));
  CHECK(refused("ring:4", "steps 2\nvolume 2\ninject many\nevidence proof p\n"));
  CHECK(refused("star:4,timing=rounds,paths=shared,ports=single", "steps 2\nvolume 2\n" + proof));
  const Fabric joins = parse_fabric({"", "star:4,timing=rounds,switches=reduce"}, 0).value();
  const Certificate joined = question_in_rounds(joins, parse_collective({"", "allreduce"}, 0, 4).value(), 2, 2);
  CHECK(judge_proof(joined, "0\n").why == "there is no formula of the volume of messages that join in the switches");
  // Of certificates that no reader has seen, too.
  const Fabric steps = parse_fabric({"", "ring:4"}, 0).value();
  Certificate claim = question_in_rounds(steps, parse_collective({"", "allgather"}, 0, 4).value(), 1, 1);
  claim.evidence = ProofFile{"proof", std::nullopt, ProofFile::About::copies};
  CHECK(judge_proof(claim, "0\n").verdict == CertificateVerdict::rejected);
}

}  // namespace
}  // namespace quadrille::tests
