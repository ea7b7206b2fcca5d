// The sentence that a proof comes to says what is proved, and nothing else.
#include <doctest/doctest.h>

#include <string>

#include "driver/prove/prove.h"
#include "driver/prove/theorem.h"
#include "tests/driver/memory_environment.h"

namespace quadrille::driver {
namespace {

std::optional<Theorem> theorem_of_text(const std::string& text, const std::vector<std::string>& defines = {}) {
  MemoryEnvironment environment;
  environment.files = {{"it.qd", text}};
  Context context{environment};
  CAPTURE(text);
  const Result<ProveOutcome> outcome = run(ProveRequest{"it.qd", defines}, context);
  REQUIRE(outcome.ok());
  return outcome->theorem;
}

const std::string shifts =
    "param N in 2..\nfabric complete(N, ports: single, timing: rounds)\ncollective total_exchange\n"
    "for d in 1..n-1: at d: for k in processors: send k -> (k + d) mod n\n";

const std::string shifted =
    "it is a correct total_exchange on a complete graph of N processors, in rounds, with single ports, ";

TEST_CASE("a theorem names the values that it is for, and the claims' measures") {
  const auto theorem = theorem_of_text(shifts + "claim rounds == N - 1\nclaim volume == N - 1\n");
  REQUIRE(theorem);
  CHECK(theorem->domain == "N >= 2");
  CHECK(theorem->text == shifted + "for every N >= 2, in N - 1 rounds of volume N - 1");
  CHECK(theorem_of_text(shifts, {"N=4"})->text ==
        "it is a correct total_exchange on a complete graph of 4 processors, in rounds, with single ports, for N = 4");
  CHECK(theorem_of_text(shifts + "claim rounds == N - 1\nclaim volume == rounds\nclaim messages >= 2\n")->text ==
        shifted + "for every N >= 2, in N - 1 rounds; volume == rounds; messages >= 2");
}

TEST_CASE("claims of a condition are told with it, unless it never holds") {
  const auto theorem = theorem_of_text(
      shifts +
      "claim rounds == N - 1 when N >= 3\nclaim rounds == 1 when N == 2\nclaim steps == 7 when not in_rounds\n");
  REQUIRE(theorem);
  CHECK(theorem->text == shifted + "for every N >= 2; rounds == N - 1 when N >= 3; rounds == 1 when N == 2");
}

TEST_CASE("a theorem says what definitions stand for, and not their names") {
  const std::string defined =
      "let before = if N > 2 then 1 else 0\nlet twice(x) = 2*x\nlet longest = max(twice(k) for k in 1..N-1)\n";
  CHECK(theorem_of_text(shifts + defined + "claim rounds == N - 2 + (1 - before) + before\n")->text ==
        shifted + "for every N >= 2, in N - 2 + (1 - (if N > 2 then 1 else 0)) + (if N > 2 then 1 else 0) rounds");
  CHECK(theorem_of_text(shifts + defined + "claim rounds <= twice(N - 1) when before == 1\n")->text ==
        shifted + "for every N >= 2; rounds <= 2*(N - 1) when (if N > 2 then 1 else 0) == 1");
}

TEST_CASE("a theorem names the processors by the schedule's own parameters") {
  CHECK(theorem_of_text("param N in {2^i for i in 1..16}\nfabric complete(N, ports: single, timing: rounds)\n"
                        "collective total_exchange\n"
                        "for d in 1..n-1: at d: for k in processors: send k -> k xor d\nclaim optimal volume\n")
            ->text == shifted + "for every N in {2^i for i in 1..16}, and no schedule there has less volume");
}

TEST_CASE("what is not proved is not told, and what is refuted is no theorem") {
  // The claim is true, but beyond the prover.
  const std::string idle =
      "param N in 2..64\nfabric complete(N, ports: single, timing: rounds)\ncollective scatter(root: 0)\n"
      "for d in 1..n-1: at 2*d: send 0 -> d\n";
  CHECK(theorem_of_text(idle + "claim rounds == 2*(N - 1)\nclaim volume == N - 1\n")->text ==
        "it is a correct scatter(root: 0) on a complete graph of N processors, in rounds, with single ports, for every "
        "N in 2..64, in 2*(N - 1) rounds");
  CHECK_FALSE(theorem_of_text(idle + "claim rounds == N\n"));
  CHECK_FALSE(
      theorem_of_text("param N in 2..64\nfabric complete(N, timing: rounds)\ncollective scatter(root: 0)\n"
                      "for d in 1..n-2: send 0 -> d\n"));
  CHECK_FALSE(
      theorem_of_text("param N in 2..64\nfabric complete(N)\ncollective scatter(root: 0)\n"
                      "by fifo: for d in 1..n-1: send 0 -> d\n"));
}

TEST_CASE("parameters that are capacities are named without a range") {
  CHECK(
      theorem_of_text("param L in 1..20\nparam capacity: pattern\nfabric fat_tree(levels: L, capacity: capacity)\n"
                      "collective broadcast(root: 0)\nat 1: send 0 -> all\nclaim steps == 2*L\n")
          ->text ==
      "it is a correct broadcast(root: 0) on a binary fat tree of L levels, for every L in 1..20, capacity any, in 2*L "
      "steps");
}

TEST_CASE("each invariant has the verdict of its own obligations, and is proved only if those before it are") {
  ir::Schedule schedule;
  for (const char* text : {"first", "second", "third"}) schedule.invariants.push_back({text, {}, {}, {}, {}});
  Proof proof;
  proof.all_listed = true;
  const auto add = [&](const std::string& of, ProofVerdict verdict) {
    ProvedObligation obligation;
    obligation.property = ProvedProperty::invariants;
    obligation.claim = of;
    obligation.verdict = verdict;
    proof.obligations.push_back(obligation);
  };
  using enum ProofVerdict;
  const auto verdicts = [&] {
    std::vector<ProofVerdict> result;
    for (const ProvedInvariant& it : proved_invariants(schedule, proof)) result.push_back(it.verdict);
    return result;
  };
  for (const char* text : {"first", "second", "third"}) add(text, proved);
  CHECK(verdicts() == std::vector{proved, proved, proved});
  add("second", refuted);
  CHECK(verdicts() == std::vector{proved, refuted, unknown});
  add("", unknown);
  CHECK(verdicts() == std::vector{unknown, refuted, unknown});
  proof.obligations.resize(3);
  proof.all_listed = false;
  CHECK(verdicts() == std::vector{unknown, unknown, unknown});
}

}  // namespace
}  // namespace quadrille::driver
