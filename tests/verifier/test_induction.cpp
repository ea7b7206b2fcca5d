// Proofs by induction from a schedule's invariants: of those that ship; and that nothing wrong is proved, whether it is
// the schedule that is wrong, or what is said of it.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "dsl/load.h"
#include "tests/verifier/proofs.h"

namespace quadrille::tests {
namespace {

Proof proof_alone(const std::string& text) { return prove(*compiled(text), {}); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

const std::string many = "param N in 2..1000\nfabric complete(N, timing: rounds)\n";

const std::string allgather = many +
                              "collective allgather\n"
                              "for t in 1..n-1: at t: for k in processors:\n"
                              "  send k -> (k + 1) mod n carrying (k - t + 1 + n) mod n\n"
                              "invariant after t in 0..n-1: for k in processors: held(k) == {k-t..k} mod n\n";

const std::string reduce_scatter =
    many +
    "collective reduce_scatter\n"
    "for t in 1..n-1: at t: for k in processors: send k -> (k + 1) mod n carrying part (k - t + n) mod n\n"
    "let joined(k, v, t) = if (k - v - 1) mod n <= t then (k - v - 1) mod n else 0\n"
    "invariant after t in 0..n-1: for k in processors, v in parts: held(k, v) == {k-joined(k, v, t)..k} mod n\n";

// In each round everyone hears from the one t before it.
const std::string direct = many +
                           "collective allreduce\n"
                           "for t in 1..n-1: at t: for k in processors: send k -> (k + 1) mod n\n";

TEST_CASE("shipped schedules are proved by induction for every size") {
  for (const char* name : few({"allgather_ring", "broadcast_chain", "reduce_scatter_ring", "allreduce_ring"})) {
    CAPTURE(name);
    const Proof proof = proof_of_shipped(name);
    CHECK(proof.verdict == ProofVerdict::proved);
    for (const ProvedObligation& obligation : proof.obligations) {
      CHECK_MESSAGE(obligation.verdict == ProofVerdict::proved, obligation.name, ": ", obligation.meaning,
                    obligation.why);
    }
  }
}

TEST_CASE("what is proved of shipped schedules by induction the checker finds right at ten sizes") {
  for (const char* name :
       few({"allgather_ring", "broadcast_chain", "reduce_scatter_ring", "allreduce_ring", "prefix_recursive_doubling",
            "broadcast_binomial", "allgather_bruck", "barrier_dissemination"})) {
    const auto schedule = compiled(std::string(shipped_schedule(name)->text));
    for (int n : {2, 3, 4, 5, 6, 7, 8, 9, 15, 17}) {
      CAPTURE(name);
      CAPTURE(n);
      CHECK(holds(schedule, {{"N", std::to_string(n)}}));
    }
  }
}

// Wrong, at all sizes or at large ones only; of the latter a proof alone would be found out by nobody.
TEST_CASE("an invariant that is wrong is not proved") {
  CHECK(proof_alone(allgather).verdict == ProofVerdict::proved);
  const std::string held = "held(k) == {k-t..k} mod n";
  for (const char* wrong :
       few({"held(k) == {k-t+1..k} mod n", "held(k) == {k-t-1..k} mod n", "held(k) == {k-t..k-1} mod n",
            "held(k) == {k..k+t} mod n", "held(k) == {k-t..k}", "held(k) == {max(0, k-t)..k}", "held(k) == {}",
            "held(k) == processors", "held(k) == {k}", "held(k, -> *) == {t}", "held((k + 1) mod n) == {k-t..k} mod n",
            "held(k) == {k-t..k} mod (n - 1)", "held(k) == {k-t..k} mod n when k != 3 held(0) == {0}",
            "held(k) == if n > 100 then {k} else {k-t..k} mod n", "held(k) == if t == 500 then {k} else {k-t..k} mod n",
            "held(k) contains {k-t-1..k} mod n", "held(k) contains {k-t..k+1} mod n", "held(k) contains {n}",
            "held(k) contains if k > 200 then {k-t..k} else {k-t..k} mod n"})) {
    std::string text = replaced(allgather, held, wrong);
    const std::size_t two = text.find(" held(0)");
    if (two != std::string::npos)
      text = text.substr(0, two) + "\ninvariant after t in 0..n-1: held(3 mod n) == {3 mod n}\n";
    CAPTURE(text);
    CHECK(proof_alone(text).verdict != ProofVerdict::proved);
  }
}

TEST_CASE("an invariant that is right, but is no invariant of induction, is unknown") {
  // Of round 3 alone nothing is known of the rounds before.
  const std::string late = replaced(allgather, "after t in 0..n-1", "after t in {3}");
  CHECK(proof_alone(late).verdict == ProofVerdict::unknown);
}

TEST_CASE("an invariant that says little does not stand in the way of what can be shown without it") {
  const std::string less = replaced(allgather, "held(k) == {k-t..k} mod n", "held(k) contains {k}");
  CHECK(proof_alone(less).verdict == ProofVerdict::proved);
}

TEST_CASE("a schedule that is wrong is not proved, whatever its invariants") {
  const std::string send = "send k -> (k + 1) mod n carrying (k - t + 1 + n) mod n";
  for (const char* wrong :
       few({"send k -> (k + 1) mod n carrying (k - t + n) mod n", "send k -> (k + 1) mod n carrying k",
            "send k -> (k + 2) mod n carrying (k - t + 1 + n) mod n",
            "send k -> (k - 1 + n) mod n carrying (k - t + 1 + n) mod n",
            "if k != 3: send k -> (k + 1) mod n carrying (k - t + 1 + n) mod n",
            "if t != 400 or k != 7: send k -> (k + 1) mod n carrying (k - t + 1 + n) mod n"})) {
    const std::string text = replaced(allgather, send, wrong);
    CAPTURE(text);
    CHECK(proof_alone(text).verdict != ProofVerdict::proved);
  }
  CHECK(proof_alone(replaced(allgather, "for t in 1..n-1", "for t in 1..n-2")).verdict != ProofVerdict::proved);
  CHECK(proof_alone(replaced(allgather, "at t:", "at n - t:")).verdict != ProofVerdict::proved);
}

TEST_CASE("a contribution that is counted twice is not proved") {
  CHECK(proof_alone(reduce_scatter).verdict == ProofVerdict::proved);
  // Everyone passes on all that it has: from the second round on something comes twice.
  const std::string twice = direct + "invariant after t in 0..n-1: for k in processors: held(k) == {k-t..k} mod n\n";
  CHECK(proof_alone(twice).verdict != ProofVerdict::proved);
  CHECK(proof_alone(replaced(twice, "2..1000", "2..2")).verdict == ProofVerdict::proved);
  // Once around too often.
  const std::string again = replaced(reduce_scatter, "for t in 1..n-1", "for t in 1..n");
  CHECK(proof_alone(again).verdict != ProofVerdict::proved);
  // In a barrier it does no harm.
  CHECK(proof_alone(replaced(twice, "allreduce", "barrier")).verdict == ProofVerdict::proved);
}

TEST_CASE("an invariant of what is combined must speak of all of it; without one, none is needed") {
  for (const auto& [from, to] : std::vector<std::pair<const char*, const char*>>{
           {"after t in 0..n-1", "after t in 0..n-2"},
           {"after t in 0..n-1", "after t in 1..n-1"},
           {"for k in processors, v in parts: held", "for k in processors, v in 0..n-2: held"},
           {"for k in processors, v in parts: held", "for k in 1..n-1, v in parts: held"},
           {"held(k, v) ==", "held(k, v) contains"},
           {"held(k, v) ==", "held(k) =="}}) {
    const std::string text = replaced(reduce_scatter, from, to);
    CAPTURE(text);
    CHECK(proof_alone(text).verdict != ProofVerdict::proved);
  }
  CHECK(proof_alone(reduce_scatter.substr(0, reduce_scatter.find("invariant"))).verdict == ProofVerdict::proved);
}

TEST_CASE("several that come at once are proved where they are disjoint") {
  const std::string all_at_once =
      "param N in 2..50\nfabric complete(N, timing: rounds)\ncollective allreduce\n"
      "for k in processors, d in 1..n-1: send k -> (k + d) mod n\n"
      "invariant after t in 0..1: for k in processors: held(k) == if t == 0 then {k} else processors\n";
  CHECK(proof_alone(all_at_once).verdict == ProofVerdict::proved);
  CHECK(proof_alone(replaced(all_at_once, "d in 1..n-1", "d in 0..n-1")).verdict != ProofVerdict::proved);
  CHECK(proof_alone(replaced(all_at_once, "d in 1..n-1", "d in 1..n-2")).verdict != ProofVerdict::proved);
  const std::string one_by_one =
      "param N in 2..50\nfabric complete(N, timing: rounds)\ncollective reduce(root: 0)\n"
      "for k in 1..n-1: at k: send k -> 0\n"
      "invariant after t in 0..n-1: for k in processors: held(k) == if k == 0 then {0..t} else {k}\n";
  CHECK(proof_alone(one_by_one).verdict == ProofVerdict::proved);
}

TEST_CASE("several that come at once are not proved where they overlap") {
  // First 1 sends to 2, then both to 0; in a barrier that does no harm.
  const std::string overlapping =
      "param N in 3..50\nfabric complete(N, timing: rounds)\ncollective reduce(root: 0)\n"
      "at 1: send 1 -> 2\n"
      "at 2: for k in 1..n-1: send k -> 0\n"
      "invariant after t in 0..2:\n"
      "  for k in processors:\n"
      "    held(k) == if t == 2 and k == 0 then processors else if t >= 1 and k == 2 then {1, 2} else {k}\n";
  CHECK(proof_alone(overlapping).verdict != ProofVerdict::proved);
  CHECK(proof_alone(replaced(overlapping, "if t >= 1 and k == 2 then {1, 2} else {k}", "{k}")).verdict !=
        ProofVerdict::proved);
}

TEST_CASE("an ordered operation is proved only without gaps") {
  const auto prefix = [](const std::string& at) {
    return "param N in 2..50\nfabric complete(N, timing: rounds)\ncollective prefix\n"
           "for k in 0..n-2: at " +
           at +
           ": send k -> k + 1\n"
           "invariant after t in 0..n-1: for k in processors: held(k) == if k <= t then {0..k} else {k}\n";
  };
  CHECK(proof_alone(prefix("k + 1")).verdict == ProofVerdict::proved);
  CHECK(proof_alone(prefix("n - 1 - k")).verdict != ProofVerdict::proved);
}

TEST_CASE("rows of properties that rest on invariants are known only if these are proved") {
  const Proof proof =
      proof_alone(allgather + "invariant after t in {n + 5}: for k in processors: held(k) == processors\n");
  CHECK(proof.verdict == ProofVerdict::unknown);
  int resting = 0;
  for (const ProvedObligation& obligation : proof.obligations) {
    if (obligation.property != ProvedProperty::complete) continue;
    ++resting;
    CHECK(obligation.verdict == ProofVerdict::unknown);
    CHECK(obligation.why == "it rests on the invariants, which are not proved");
  }
  CHECK(resting == 1);
}

}  // namespace
}  // namespace quadrille::tests
