// Machines other than binary trees and rings: proved by their crossings alone.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <optional>
#include <string>

#include "tests/environment.h"
#include "tests/reference/compiled.h"
#include "tests/reference/machine_schedules.h"
#include "tests/verifier/proofs.h"

namespace quadrille::tests {
namespace {

// What the prover says by itself: without the checker's help.
Proof proof_on_machine(const std::string& text) { return prove(*compiled(text), {}); }

std::string text_of(const std::string& name) {
  for (const reference::MachineSchedule& each : reference::machine_schedules()) {
    if (each.name == name) return each.text;
  }
  FAIL(name);
  return "";
}

// With one word changed for another.
std::string changed(const std::string& name, const std::string& from, const std::string& to) {
  std::string text = text_of(name);
  const std::size_t place = text.find(from);
  REQUIRE_MESSAGE(place != std::string::npos, name);
  return text.replace(place, from.size(), to);
}

void check_refuted(const std::string& text, ProvedProperty property, const std::string& words) {
  CAPTURE(text);
  const Proof proof = proof_of(text);
  CHECK(proof.verdict == ProofVerdict::refuted);
  bool told = false;
  for (const ProvedObligation& obligation : proof.obligations) {
    if (obligation.verdict != ProofVerdict::refuted || obligation.property != property) continue;
    CHECK(obligation.counterexample->confirmed == true);
    told = told || obligation.counterexample->text.find(words) != std::string::npos;
  }
  CHECK_MESSAGE(told, words);
}

TEST_CASE("schedules on lines, rings, meshes, tori, hypercubes, complete graphs and stars are proved for every size") {
  for (const reference::MachineSchedule& each : reference::machine_schedules()) {
    if (brief && each.name == "hypercube_allgather") continue;  // slow
    CAPTURE(each.name);
    const Proof proof = proof_on_machine(each.text);
    CHECK(proof.verdict == ProofVerdict::proved);
    CHECK(proof.why == "");
    for (const ProvedObligation& obligation : proof.obligations) {
      CHECK_MESSAGE(obligation.verdict == ProofVerdict::proved, obligation.meaning);
    }
  }
}

TEST_CASE("the machine is told in words") {
  CHECK(proof_on_machine(text_of("line_scatter")).machine == "line of N processors");
  CHECK(proof_on_machine(text_of("mesh_scatter")).machine == "mesh of A*B processors");
  CHECK(proof_on_machine(text_of("star_total_exchange")).machine == "star of N processors");
}

TEST_CASE("a step fewer or more than it takes is not proved of any of them") {
  int number = 0;
  for (const reference::MachineSchedule& each : reference::machine_schedules()) {
    if (brief && number++ % 3 != 0) continue;
    const std::size_t claim = each.text.find("claim steps == ");
    if (claim == std::string::npos || (brief && each.name == "hypercube_allgather")) continue;
    const std::string steps = each.text.substr(claim, each.text.find('\n', claim) - claim);
    CAPTURE(each.name);
    for (const char* other : {" + 1", " - 1"})
      CHECK(proof_of(changed(each.name, steps, steps + other)).verdict == ProofVerdict::refuted);
  }
}

TEST_CASE(
    "where switches forward, sends to one processor each are proved as where they copy, and sends to many are not") {
  const std::string tree =
      "param L in 2..20\nfabric fat_tree(levels: L, ports: single, switches: forward, queue: none)\ncollective ";
  const Proof one = proof_alone(tree + "scatter(root: 0)\nfor d in n - 1 downto 1: at n - d: send 0 -> d\n");
  CHECK(one.verdict == ProofVerdict::proved);
  CHECK(one.machine == "binary fat tree of L levels, with single ports, whose switches forward");
  const Proof many = proof_alone(tree + "broadcast(root: 0)\nsend 0 -> all\n");
  CHECK(many.verdict == ProofVerdict::unknown);
  CHECK(many.why.find("a send to many where switches forward") != std::string::npos);
}

TEST_CASE("where packets meet, their channel and step are named") {
  const std::string meet = " cross channel ";
  check_refuted(changed("line_scatter", "at n - d", "at 1"), ProvedProperty::contention_free, meet);
  check_refuted(changed("line_gather", "at k", "at n - k"), ProvedProperty::contention_free, meet);
  check_refuted(changed("ring_scatter", "at n - d", "at 1"), ProvedProperty::contention_free, meet);
  check_refuted(changed("mesh_scatter", "at n - y", "at n - (y + 1)/2"), ProvedProperty::contention_free, meet);
  check_refuted(changed("torus_scatter", "at n - (x*B + y)", "at n - (x*B + 2*y)"), ProvedProperty::well_formed, "");
  check_refuted(changed("complete_total_exchange", "at l", "at 1 + l/2"), ProvedProperty::claims, "steps is ");
  check_refuted(changed("star_total_exchange", "at l", "at (l + 1)/2"), ProvedProperty::contention_free, meet);
  check_refuted("param N in 3..50\nfabric star(N)\ncollective gather(root: 0)\nfor k in 1..N-1: at 1: send k -> 0\n",
                ProvedProperty::contention_free, " cross channel 1.0->0 in step 2");
}

TEST_CASE("single ports of a complete graph are obligations") {
  check_refuted(changed("complete_single_port", "at l", "at 1"), ProvedProperty::capacity, " sends ");
}

// The phases of multinode_broadcast_half_phased, each begun and each send delayed otherwise.
std::string phased(int begin, int delay, int later) {
  return fmt::format(
      "param L in 1..30\nfabric fat_tree(levels: L, capacity: constant, duplex: half)\ncollective allgather\n"
      "for h in 1..L, l in 0..2^(h-1)-1:\n  let M = 2^(h - 1)\n  at {}*M + {}*l + {}*h:\n"
      "    for i in 0..n/M-1: send i*M + l -> (i*M xor M)..(i*M xor M)+M-1\n",
      begin, delay, later);
}

TEST_CASE("sends to many on half-duplex trees are proved only where the checker finds nothing") {
  int proved = 0;
  int wrong = 0;
  for (int begin = brief ? 2 : 1; begin <= (brief ? 2 : 3); ++begin) {
    for (int delay = 1; delay <= 2; ++delay) {
      for (int later = 0; later <= 3; ++later) {
        const std::string text = phased(begin, delay, later);
        CAPTURE(text);
        const auto schedule = compiled(text);
        const ProofVerdict verdict = prove(*schedule, {}).verdict;
        bool right = true;
        for (int levels = 1; levels <= 6; ++levels) {
          const auto holds = reference::holds_at(schedule, {{"L", fmt::format("{}", levels)}});
          right = right && holds.value_or(false);
        }
        if (verdict == ProofVerdict::proved) CHECK(right);
        if (right) CHECK(verdict != ProofVerdict::refuted);
        proved += verdict == ProofVerdict::proved ? 1 : 0;
        wrong += right ? 0 : 1;
      }
    }
  }
  MESSAGE(proved, " are proved, ", wrong, " are wrong");
  CHECK(proved > (brief ? 0 : 3));
  CHECK(wrong > (brief ? 2 : 8));
}

TEST_CASE("on half-duplex links packets that go against each other are told") {
  check_refuted(changed("half_duplex_complete", "{2*i + 1 for", "{2*i for"), ProvedProperty::capacity, "sends");
  const std::string opposed = "collective allgather\nat 1: send 0 -> n - 1\nat 1: send n - 1 -> 0\n";
  check_refuted("param N in 4..50\nfabric line(N, duplex: half)\n" + opposed, ProvedProperty::capacity,
                "both ways in step");
  check_refuted("param N in 4..50\nfabric line(N, duplex: half, timing: rounds)\n" + opposed, ProvedProperty::capacity,
                "both ways in round");
  // On a tree they meet at the root's links only if the steps differ by an odd number.
  check_refuted(
      "param L in 2..9\nfabric fat_tree(levels: L, capacity: constant, duplex: half)\ncollective total_exchange\n"
      "at 2: send 0 -> n - 1\nat 1: send n - 1 -> 0\n",
      ProvedProperty::capacity, "both ways in step");
  check_refuted(changed("half_duplex_rounds", "2*t + 1 + i mod 2", "2*t + 1"), ProvedProperty::capacity, " receives ");
}

TEST_CASE("what goes further than to a neighbour through single ports is unknown") {
  const Proof proof = proof_on_machine(
      "param N in 3..50\nfabric star(N, ports: single)\ncollective scatter(root: 0)\n"
      "for d in 1..N-1: at d: send 0 -> d\n");
  CHECK(proof.verdict == ProofVerdict::unknown);
  CHECK(proof.reason == Reason::unsupported);
}

TEST_CASE("a fabric's arguments are those that its family takes, in their ranges") {
  const auto unknown = [](const std::string& fabric, const std::string& why) {
    const Proof proof = proof_on_machine("param N in 2..50\nfabric " + fabric +
                                         "\ncollective scatter\nfor d in 1..n-1: at n - d: send 0 -> d\n");
    CHECK(proof.verdict == ProofVerdict::unknown);
    CHECK(proof.reason == Reason::unsupported);
    CHECK(proof.why == why);
  };
  unknown("star(N, capacity: 2, duplex: half)", "half duplex on links of several lanes");
  unknown("fat_tree(levels: N, arity: 3)", "powers of anything but 2 in the routes of this fabric");
  check_refuted(
      "param N in 2..50\nparam c in 0..2\nfabric ring(N, capacity: c)\ncollective scatter\n"
      "for d in 1..n-1: at n - d: send 0 -> d\n",
      ProvedProperty::well_formed, "it is 0");
}

}  // namespace
}  // namespace quadrille::tests
