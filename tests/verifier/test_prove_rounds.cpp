// Schedules in rounds: messages that hold their paths, their lengths, and what a schedule costs, for every size.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "tests/verifier/proofs.h"

namespace quadrille::tests {
namespace {

Proof proof_alone(const std::string& text) { return prove(*compiled(text), {}); }

const std::string single = "param N in 2..1000000\nfabric complete(N, ports: single, timing: rounds)\n";
const std::string many = "param N in 2..1000000\nfabric complete(N, timing: rounds)\n";

std::string found_in(const std::string& text, ProvedProperty property) {
  const Proof proof = proof_of(text);
  CAPTURE(text);
  CHECK(proof.verdict == ProofVerdict::refuted);
  for (const ProvedObligation& obligation : proof.obligations) {
    if (obligation.verdict == ProofVerdict::refuted && obligation.property == property)
      return obligation.counterexample->text;
  }
  return "nothing";
}

bool claims_are_proved(const std::string& text) {
  const Proof proof = proof_alone(text);
  return std::ranges::all_of(proof.obligations, [](const ProvedObligation& each) {
    return each.property != ProvedProperty::claims || each.verdict == ProofVerdict::proved;
  });
}

void check_unknown(const std::string& text, const std::string& why) {
  CAPTURE(text);
  const Proof proof = proof_alone(text);
  CHECK(proof.verdict == ProofVerdict::unknown);
  CHECK(proof.reason == Reason::unsupported);
  CHECK(proof.why == why);
}

TEST_CASE("the direct schedules of the catalogue are proved for every number of processors") {
  for (const char* name : {"total_exchange_linear", "total_exchange_pairwise", "scatter_linear", "gather_linear",
                           "broadcast_linear", "allgather_linear", "allgather_ring"}) {
    CAPTURE(name);
    const Proof proof = proof_of_shipped(name);
    CHECK(proof.verdict == ProofVerdict::proved);
    for (const ProvedObligation& obligation : proof.obligations) {
      CHECK_MESSAGE(obligation.verdict == ProofVerdict::proved, obligation.meaning);
    }
  }
}

TEST_CASE("two messages of one round are refuted where they hold one channel, and where they share a port") {
  CHECK(found_in("param N in 3..50\nfabric line(N, timing: rounds)\ncollective scatter(root: 0)\n"
                 "for d in 1..n-1: at d/2 + 1: send 0 -> d\n",
                 ProvedProperty::contention_free) == "the messages 0->2 and 0->3 cross channel 0->1 in round 2");
  CHECK(found_in(single + "collective scatter(root: 0)\nfor d in 1..n-1: at d/2 + 1: send 0 -> d\n",
                 ProvedProperty::capacity) == "0 sends the messages 0->2 and 0->3 in round 2");
  CHECK(found_in(single + "collective gather(root: 0)\nfor d in 1..n-1: at d/2 + 1: send d -> 0\n",
                 ProvedProperty::capacity) == "0 receives the messages 2->0 and 3->0 in round 2");
}

TEST_CASE("messages on shared paths never meet, but at single ports") {
  const std::string at_once = "collective total_exchange\nfor k in processors, d in 1..n-1: send k -> (k + d) mod n\n";
  CHECK(proof_alone("param N in 2..50\nfabric ring(N, timing: rounds, paths: shared)\n" + at_once).verdict ==
        ProofVerdict::proved);
  CHECK(
      proof_of("param N in 3..50\nfabric ring(N, timing: rounds, ports: single, paths: shared)\n" + at_once).verdict ==
      ProofVerdict::refuted);
}

TEST_CASE("only a message's ends take ports, however far it goes") {
  CHECK(proof_alone("param N in 2..50\nfabric line(N, ports: single, timing: rounds)\ncollective scatter(root: 0)\n"
                    "for d in 1..n-1: at d: send 0 -> d\n")
            .verdict == ProofVerdict::proved);
}

TEST_CASE("what arrives in a round is sent from the next one on") {
  const auto chain = [](const std::string& round) {
    return many + "collective broadcast(root: 0)\nfor d in 0..n-2: at " + round + ": send d -> d + 1\n";
  };
  CHECK(proof_alone(chain("d + 1")).verdict == ProofVerdict::proved);
  CHECK(proof_of(chain("1")).verdict == ProofVerdict::refuted);
}

TEST_CASE("the volume counts the longest message of each round, whatever sets its chunks are named by") {
  const auto broadcast = [](const std::string& parts, const std::string& volume) {
    return single + "param P in 2..1000\ncollective broadcast(root: 0, parts: P)\n" +
           "for d in 1..n-1: at d: send 0 -> d carrying 0 -> * part " + parts + "\nclaim volume == " + volume + "\n";
  };
  CHECK(proof_alone(broadcast("{0..P-1}", "P*(n - 1)")).verdict == ProofVerdict::proved);
  CHECK(proof_alone(broadcast("{P - 1 - p for p in 0..P-1}", "P*(n - 1)")).verdict == ProofVerdict::proved);
  CHECK(proof_of(broadcast("{0..P-1}", "P*n")).verdict == ProofVerdict::refuted);
  CHECK(proof_of(broadcast("{0..P-2}", "(P - 1)*(n - 1)")).verdict == ProofVerdict::refuted);
  // It names some of them twice, and so not all.
  CHECK(proof_of(broadcast("{2*p mod P for p in 0..P-1}", "P*(n - 1)")).verdict != ProofVerdict::proved);
}

TEST_CASE("conditions may choose the chunks of a message by their remainders") {
  const auto claim_is_proved = [](const std::string& parts, const std::string& volume) {
    return claims_are_proved(
        "param P in 6..1000\nfabric complete(2, ports: single, timing: rounds)\n"
        "collective broadcast(root: 0, parts: P)\nsend 0 -> 1 carrying 0 -> * part " +
        parts + "\nclaim volume == " + volume + "\n");
  };
  CHECK(claim_is_proved("{p for p in 0..P-1 if p mod 3 == 1}", "(P + 1)/3"));
  CHECK(claim_is_proved("{p for p in 1..P-1 if (p + 2) mod 3 == 0}", "(P + 1)/3"));
  CHECK(claim_is_proved("{p for p in 0..P-1 if p mod 4 == 3 and p < P - 2}", "(P - 2)/4"));
  CHECK_FALSE(claim_is_proved("{p for p in 0..P-1 if p mod 3 == 1}", "(P + 2)/3"));
  CHECK_FALSE(claim_is_proved("{p for p in 0..P-1 if p mod 4 == 3 and p < P - 2}", "(P - 1)/4"));
  CHECK_FALSE(claim_is_proved("{p for p in 0..P-1 if p mod 3 == 3}", "P/3"));  // no remainder is 3
}

TEST_CASE("messages that grow from round to round are summed up") {
  const std::string growing = single + "collective scatter(root: 0, parts: n)\n" +
                              "for d in 1..n-1: at d: send 0 -> d carrying 0 -> d part {0..d-1}\n" +
                              "for d in 1..n-1: at n - 1 + d: send 0 -> d carrying 0 -> d part {d..n-1}\n";
  CHECK(proof_alone(growing + "claim rounds == 2*(n - 1)\n").verdict == ProofVerdict::proved);
  const std::string halved =
      "param N in 2..1000\nfabric complete(N, ports: single, timing: rounds)\ncollective scatter(root: 0, parts: n)\n"
      "for d in 1..n-1, p in 0..n-1: at (d - 1)*n + p + 1: send 0 -> d carrying 0 -> d part p\n";
  CHECK(proof_alone(halved + "claim rounds == n*(n - 1)\n").verdict == ProofVerdict::proved);
}

TEST_CASE("messages that conditions choose are summed up, their lengths being powers of two") {
  const auto gathered = [](const std::string& volume) {
    return "param d in 1..12\nfabric complete(2^d, ports: single, timing: rounds)\ncollective gather(root: 0)\n"
           "for i in 0..d-1: at i + 1: for k in processors if k mod 2^(i+1) == 2^i:\n"
           "  send k -> k - 2^i carrying {k..k+2^i-1} -> 0\nclaim volume == " +
           volume + "\n";
  };
  CHECK(claims_are_proved(gathered("2^d - 1")));
  CHECK_FALSE(claims_are_proved(gathered("2^d")));
  CHECK_FALSE(claims_are_proved(gathered("2^d - 1 + d/12")));
}

TEST_CASE("what comes last may depend on what there is") {
  const std::string in_three =
      many + "collective scatter(root: 0)\nat 1: send 0 -> 1\nif n > 2: for d in 2..min(n-1, 3): at 2: send 0 -> d\n" +
      "if n > 4: for d in 4..n-1: at 3: send 0 -> d\nclaim rounds == (if n > 4 then 3 else if n > 2 then 2 else 1)\n";
  CHECK(proof_alone(in_three).verdict == ProofVerdict::proved);
  for (const auto& [from, to] : {std::pair{"rounds == (if n > 4", "rounds == (if n > 5"},
                                 {"else if n > 2 then 2", "else if n > 3 then 2"},
                                 {"at 3: send", "at (if d == 100 then 4 else 3): send"},
                                 {"if n > 4: for d", "if n > 5: for d"}}) {
    std::string wrong = in_three;
    wrong.replace(wrong.find(from), std::string(from).size(), to);
    CAPTURE(wrong);
    CHECK(proof_alone(wrong).verdict != ProofVerdict::proved);
    CHECK(proof_of(wrong).verdict == ProofVerdict::refuted);
  }
}

TEST_CASE("the first round, or the last, may add something else, by choices in one another") {
  const std::string halving =
      "param N in 2..40\nfabric complete(N, ports: single, timing: rounds)\ncollective scatter(root: 0)\n"
      "let L = log2(N - 1) + 1\n"
      "for t in 1..L, j in 0..(N-1)/2^(L-t+1):\n"
      "  if 2^(L-t)*(2*j + 1) < N:\n"
      "    at t: send 2^(L-t)*2*j -> 2^(L-t)*(2*j + 1) carrying 0 -> {2^(L-t)*(2*j + 1)..min(2^(L-t)*(2*j + 2), N)-1}\n"
      "invariant after t in 0..L:\n"
      "  for k in 0..n-1, o in 1..n-1: held(k, -> o) contains {0}\n"
      "    when k mod 2^(L-t) == 0 and k <= o and o < k + 2^(L-t)\n";
  CHECK(proof_alone(halving + "claim volume == N - 1\n").verdict == ProofVerdict::proved);
  CHECK(proof_of(halving + "claim volume == (if N == 33 then 31 else N - 1)\n").verdict == ProofVerdict::refuted);
  CHECK(proof_of(halving + "claim volume <= max(N - 2, 31)\n").verdict == ProofVerdict::refuted);
}

TEST_CASE("of rounds it is told what cannot be proved, by name") {
  const std::string linear_scatter = "collective scatter(root: 0)\nfor d in 1..n-1: at d: send 0 -> d";
  check_unknown(
      "param N in 2..9\nfabric ring(N, timing: rounds, paths: shared)\n" + linear_scatter + "\nclaim volume >= 1\n",
      "the volume on shared paths");
  check_unknown("param N in 2..9\nfabric complete(N, timing: rounds, switches: reduce)\n" + linear_scatter + "\n",
                "a fabric with 'switches'");
  check_unknown(
      "param N in 2..9\nfabric star(N, timing: rounds, paths: shared)\ncollective broadcast(root: 0)\nsend 0 -> all\n",
      "a send to many around switches, in rounds");
  check_unknown(many + "collective scatter(root: 0)\nfor d in 1..n-1: at 2*d: send 0 -> d\nclaim volume == n - 1\n",
                "a sum over rounds of which some have no messages");
}

TEST_CASE("a range without an end is proved for all numbers") {
  const std::string ring =
      "param N in 2..\nfabric complete(N, ports: single, timing: rounds)\ncollective total_exchange\n"
      "for d in 1..n-1: at d: for k in processors: send k -> (k + d) mod n\n";
  const Proof proof = proof_alone(ring + "claim rounds == N - 1\n");
  CHECK(proof.verdict == ProofVerdict::proved);
  CHECK(proof.parameters.at(0).values == "2..");
  CHECK(proof_of(ring + "claim rounds != 5000\n").verdict == ProofVerdict::refuted);
  // Powers of two by their axioms; what needs bit-vectors wants a bound.
  CHECK(proof_alone("param N in 2..\nfabric complete(N, timing: rounds)\ncollective scatter(root: 0)\n"
                    "for d in 1..n-1: at log2(d) + 1: send 0 -> d\nclaim rounds == log2(N - 1) + 1\n")
            .verdict == ProofVerdict::proved);
  CHECK(proof_alone("param N in 2..\nfabric complete(N, timing: rounds)\ncollective scatter(root: 0)\n"
                    "for d in 1..n-1: at (d xor 1) + 1: send 0 -> d\nclaim rounds <= 2*N\n")
            .verdict == ProofVerdict::unknown);
}

TEST_CASE("a range that depends on its own parameter is unknown, and no fault") {
  check_unknown(
      "param N in 2..9\nparam root in 0..root-1\nfabric complete(N, timing: rounds)\n"
      "collective scatter(root: root)\nfor d in 1..n-1: at d: send root -> (root + d) mod n\n",
      "a parameter's range that depends on itself, or on a later one");
}

TEST_CASE("values of a formula are proved as such") {
  const std::string of_powers =
      "param N in {2^i for i in 1..16}\nfabric complete(N, ports: single, timing: rounds)\ncollective total_exchange\n"
      "for d in 1..n-1: at d: for k in processors: send k -> k xor d\nclaim rounds == N - 1\n";
  CHECK(proof_alone(of_powers).verdict == ProofVerdict::proved);
  std::string of_evens = of_powers;
  of_evens.replace(of_evens.find("2^i"), 3, "2*i");
  CHECK(proof_of(of_evens).verdict == ProofVerdict::refuted);
}

}  // namespace
}  // namespace quadrille::tests
