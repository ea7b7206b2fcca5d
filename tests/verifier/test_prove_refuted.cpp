// The prover: what it says of schedules that are wrong, or that it cannot handle.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dsl/load.h"
#include "tests/environment.h"
#include "tests/reference/compiled.h"
#include "tests/verifier/proofs.h"
#include "verifier/check.h"

namespace quadrille::tests {
namespace {

// --- refutations in words --------------------------------------------------------------------------------------------

// The words of all refutations, a line each, with the size before.
std::string stories(const Proof& proof) {
  std::string text;
  for (const ProvedObligation& obligation : proof.obligations) {
    if (obligation.verdict != ProofVerdict::refuted || obligation.counterexample->text.empty()) continue;
    for (const auto& [name, value] : obligation.counterexample->arguments) text += fmt::format("{}={} ", name, value);
    text += fmt::format("{}: {}\n", to_string(obligation.property), obligation.counterexample->text);
  }
  return text;
}

// Whether the checker finds, at the size of each refuted contention, two packets on that channel in that step.
void check_told_truly(const std::string& text) {
  CAPTURE(text);
  const auto schedule = compiled(text);
  int told = 0;
  for (const ProvedObligation& obligation : proof_of(text).obligations) {
    if (obligation.verdict != ProofVerdict::refuted || obligation.property != ProvedProperty::contention_free) continue;
    CAPTURE(obligation.counterexample->text);
    REQUIRE(obligation.counterexample->confirmed == true);
    const std::string& words = obligation.counterexample->text;
    const auto table = elaborate(schedule, obligation.counterexample->arguments);
    REQUIRE(table.ok());
    CheckOptions options;
    options.listed_per_property = 1'000'000;
    bool found = false;
    for (const Violation& violation : check(*table, options).violations) {
      if (violation.property != Property::contention_free || !violation.channel || !violation.step) continue;
      const std::string end =
          fmt::format(" cross channel {} in step {}", table->fabric.name(*violation.channel), violation.step->value);
      if (!words.ends_with(end)) continue;
      const std::string packets = words.substr(0, words.size() - end.size());
      const std::size_t middle = packets.find(" and ");
      REQUIRE(middle != std::string::npos);
      found = found || (violation.message.find(packets.substr(0, middle)) != std::string::npos &&
                        violation.message.find(packets.substr(middle + 5)) != std::string::npos);
    }
    CHECK(found);
    ++told;
  }
  CHECK(told > 0);
}

TEST_CASE("a refutation names the packets, the channel and the step that the checker finds") {
  for (const char* capacity : {"constant", "exponential"}) {
    check_told_truly(
        fmt::format("param L in 2..10\nfabric fat_tree(levels: L, capacity: {})\ncollective total_exchange\n"
                    "let start(h) = 2^L - 2^h + (L - h) + 1\n"
                    "for h in L downto 1, l in 0..2^(h-1)-1:\n"
                    "  at start(h) + l: for k in processors: send k -> k xor 2^(h-1) xor l\n",
                    capacity));
  }
  check_told_truly("param L in 2..10\n" + scatter_head + "for d in n-1 downto 1: at n - d + d mod 2: send 0 -> d\n");
  check_told_truly(
      "param L in 2..10\nfabric fat_tree(levels: L, capacity: constant)\ncollective multinode_broadcast\n"
      "for k in processors: at k + 1: send k -> all\n");
  check_told_truly(
      "param N in 4..20\nfabric ring(N)\ncollective multinode_broadcast\n"
      "for t in 1..N-1, i in 0..N-1: at t - t mod 2 + 1: send i -> (i + 1) mod N carrying (i + N - (t - 1)) mod N\n");
}

TEST_CASE("a refutation tells what is not there, and what is measured") {
  CHECK(stories(proof_of("param L in 1..10\n" + scatter_head + "for d in 1..n: at d: send 0 -> d\n"))
            .find("L=1 well_formed: there is no processor 2\n") != std::string::npos);
  CHECK(stories(proof_of("param L in 1..10\n" + scatter_head + "for d in 1..n-1: at 1 - d: send 0 -> d\n"))
            .find("L=1 well_formed: the step is 0\n") != std::string::npos);
  CHECK(stories(proof_of("param L in 1..10\nfabric fat_tree(levels: L, capacity: constant)\n"
                         "collective multinode_broadcast\nfor k in processors: at k: send k -> all\n"))
            .find("L=1 well_formed: 0 sends 0->* in step 0\n") != std::string::npos);
  CHECK(stories(proof_of(broadcast("1..1") + "claim steps == 2*L + 1\n")) == "L=1 h=1 claims: steps is 2\n");
  CHECK(stories(proof_of("param L in 1..10\n" + scatter_head + "for d in 2..n-1: at n - d: send 0 -> d\n"))
            .find("L=1 complete: 0 packets are delivered\n") != std::string::npos);
}

TEST_CASE("a refutation names both sends") {
  const std::string text = "param L in 2..10\n" + scatter_head +
                           "for d in n-1 downto 2: at n - d: send 0 -> d\n"
                           "at n - 2: send 0 -> 1\n";
  const Proof proof = proof_of(text);
  CHECK(proof.verdict == ProofVerdict::refuted);
  bool found = false;
  for (const ProvedObligation& obligation : proof.obligations) {
    if (obligation.verdict != ProofVerdict::refuted || obligation.property != ProvedProperty::contention_free) continue;
    CHECK(text.substr(obligation.span.begin, 11) == "send 0 -> d");
    CHECK(text.substr(obligation.second_span.begin, 11) == "send 0 -> 1");
    found = true;
  }
  CHECK(found);
}

// Z3 may be interrupted when it has found something and is asked what: then nothing is known of it.
TEST_CASE("a proof that is interrupted at any time is proved, refuted with values, or unknown") {
  const auto schedule =
      compiled("param L in 1..62\n" + scatter_head + "for d in n-1 downto 1: at n - d / 2: send 0 -> d\n");
  const int tries = brief ? 4 : 30;
  for (int i = 0; i < tries; ++i) {
    const auto end = std::chrono::steady_clock::now() + i * std::chrono::milliseconds(5);
    ProveOptions options;
    options.limits.deadline = end;
    const Proof proof = prove(*schedule, options);
    CHECK(proof.verdict != ProofVerdict::proved);
    CHECK(proof.why == "");
    for (const ProvedObligation& obligation : proof.obligations) {
      CAPTURE(obligation.why);
      CHECK(obligation.reason != Reason::internal);
      if (obligation.verdict == ProofVerdict::refuted) CHECK(obligation.counterexample.has_value());
    }
  }
}

TEST_CASE("a count that builds on what does not hold at a size refutes nothing there, and is no fault") {
  // At L = 3 the range of h runs backwards, and the schedule is right; at L = 4 processor 1 gets nothing from 0.
  std::string text(shipped_schedule("total_exchange_shortest")->text);
  const std::string range = "for h in 1..L-3";
  text.replace(text.find(range), range.size(), "for h in 2..L-3");
  const Proof proof = proof_of(text);
  CHECK(proof.verdict == ProofVerdict::refuted);
  for (const ProvedObligation& obligation : proof.obligations) {
    CAPTURE(obligation.meaning);
    CHECK(obligation.reason != Reason::internal);
  }
}

// --- what goes wrong late --------------------------------------------------------------------------------------------

// The smallest size at which something is refuted.
std::string refuted_at(const Proof& proof) {
  std::string least;
  for (const ProvedObligation& obligation : proof.obligations) {
    if (obligation.verdict != ProofVerdict::refuted) continue;
    const std::string size = obligation.counterexample->arguments.at("L");
    if (least.empty() || std::stoi(size) < std::stoi(least)) least = size;
  }
  return least;
}

std::string pipelined(const std::string& more) {
  return "param L in 1..62\nfabric fat_tree(levels: L, capacity: exponential)\ncollective total_exchange\n"
         "let start(h) = 2^L - 2^h + 2*(L - h) + 1\n"
         "for h in L downto 1, l in 0..2^(h-1)-1:\n  let M = 2^(h - 1)\n  at start(h) + l + " +
         more + ":\n    for i in 0..n-1: send i -> i xor M xor l\n";
}

TEST_CASE("where an expression has no value, what Z3 takes for it is no fault of the prover") {
  const Proof proof = proof_of(
      "param L in 3..6\nfabric complete(2*L, timing: rounds)\ncollective allgather\n"
      "for k in processors: at 1: send k -> all carrying k + (if 8 / 2^(k - 1) >= 9 then 1 else 0) -> *\n");
  CHECK(proof.verdict == ProofVerdict::refuted);
  for (const ProvedObligation& obligation : proof.obligations) CHECK(obligation.reason != Reason::internal);
}

TEST_CASE("a claim without a value for some parameter is refuted as ill-formed, and leaves other claims open at most") {
  for (const char* claim : {"8/2^(A-1) >= 1 when A < 4", "8/2^(A-1) == 2^(4-A) when A < 4", "8/2^(A-1) >= 1 or A > 4",
                            "8/2^(A-1) <= 8 and 8 mod 2^(A-1) < 2^(A-1)", "100/2^(A-1) >= 100/2^A"}) {
    CAPTURE(claim);
    const Proof proof = proof_of(
        std::string(
            "param A in 0..12\nfabric fat_tree(levels: 2)\ncollective broadcast(root: 0)\nsend 0 -> all\nclaim ") +
        claim + "\n");
    CHECK(proof.verdict == ProofVerdict::refuted);
    CHECK(proof.reason != Reason::internal);
    bool ill_formed = false;
    for (const ProvedObligation& each : proof.obligations) {
      CHECK(each.why.find("fault") == std::string::npos);
      CHECK(each.reason != Reason::internal);
      const bool refuted = each.verdict == ProofVerdict::refuted;
      CHECK((!refuted || each.property == ProvedProperty::well_formed));
      ill_formed = ill_formed || refuted;
    }
    CHECK(ill_formed);
  }
}

TEST_CASE("what is right for small sizes only is refuted at the size where it goes wrong") {
  CHECK(proof_of(pipelined("0") + "claim steps == n + 2*L - 2\n").verdict == ProofVerdict::proved);
  const Proof step = proof_of(pipelined("(if h == 19 and L > 19 then 0 - 3 else 0)"));
  CHECK(step.verdict == ProofVerdict::refuted);
  CHECK(refuted_at(step) == "20");

  const std::string scatter = "param L in 1..62\n" + scatter_head + "for d in n-1 downto 1: at n - d";
  const Proof later = proof_of(scatter + " + (if d == 2^19 + 5 then 1 else 0): send 0 -> d\n");
  CHECK(later.verdict == ProofVerdict::refuted);
  CHECK(refuted_at(later) == "20");
  // Too large to check; these are the packets that meet, there.
  bool told = false;
  for (const ProvedObligation& obligation : later.obligations) {
    if (obligation.verdict != ProofVerdict::refuted || obligation.name != "up") continue;
    const std::map<std::string, std::string> values(obligation.counterexample->values.begin(),
                                                    obligation.counterexample->values.end());
    const int level = std::stoi(values.at("level"));
    const std::string from = level == 1 ? "0" : fmt::format("{}.0", level - 1);
    CHECK(obligation.counterexample->text ==
          fmt::format("0->524292 and 0->524293 cross channel {}->{}.0 in step {}", from, level, 524283 + level));
    told = true;
  }
  CHECK(told);
  const Proof large = proof_of(scatter + " + (if d == 2^31 + 1 then 1 else 0): send 0 -> d\n");
  CHECK(large.verdict == ProofVerdict::refuted);
  CHECK(refuted_at(large) == "32");
  // As if steps were kept in 31 bits.
  const Proof wrapped = proof_of(scatter + " mod 2^31: send 0 -> d\n");
  CHECK(wrapped.verdict == ProofVerdict::refuted);
  CHECK(refuted_at(wrapped) == "32");
}

// At N processors, and at no other size, one send of the chain, or of the scatter, goes one processor too far.
const std::string chain_but_at_1000 =
    "param N in 2..65536\nfabric complete(N, ports: single, timing: rounds)\ncollective broadcast(root: 0)\n"
    "for k in 1..N-1: at k: send k - 1 -> (if N == 1000 and k == 500 then 501 else k)\n";
const std::string scatter_but_at_4097 =
    "param N in 2..65536\nfabric complete(N, ports: single, timing: rounds)\ncollective scatter(root: 0)\n"
    "for d in 1..N-1: at d: send 0 -> (if N == 4097 and d == 7 then 8 else d)\n";

TEST_CASE("what goes wrong first at a thousand processors, or at four thousand, is refuted there by the checker, too") {
  for (const auto& [size, text] : {std::pair{"1000", chain_but_at_1000}, std::pair{"4097", scatter_but_at_4097}}) {
    CAPTURE(text);
    const Proof proof = proof_of(text);
    CHECK(proof.verdict == ProofVerdict::refuted);
    for (const ProvedObligation& obligation : proof.obligations) {
      CHECK(obligation.reason != Reason::internal);
      if (obligation.verdict != ProofVerdict::refuted) continue;
      CHECK(obligation.counterexample->arguments == Arguments{{"N", size}});
      CHECK(obligation.counterexample->confirmed == true);
    }
  }
}

TEST_CASE("a claim that is off by one is refuted, and the checker agrees") {
  const Proof proof = proof_of(pipelined("0") + "claim steps == n + 2*L - 3\n");
  CHECK(proof.verdict == ProofVerdict::refuted);
  CHECK(refuted_at(proof) == "1");
  for (const ProvedObligation& obligation : proof.obligations) {
    if (obligation.counterexample) CHECK(obligation.counterexample->confirmed == true);
  }
}

TEST_CASE("what is beyond the prover is unknown, with the reason and the place") {
  for (const char* name : {"multinode_broadcast", "ideal_broadcast", "total_exchange_farthest_first"}) {
    CAPTURE(name);
    const Proof proof = proof_of_shipped(name);
    CHECK(proof.verdict == ProofVerdict::unknown);
    CHECK_FALSE(proof.why.empty());
    CHECK(proof.why_span.end > proof.why_span.begin);
  }
  CHECK(proof_of_shipped("total_exchange", {{"capacity", "1,2,2"}}).verdict == ProofVerdict::unknown);
}

// --- what only the checker finds -------------------------------------------------------------------------------------

// The arguments with which the checker, and only it, has refuted the schedule; empty if it did not.
Arguments found_by_checker(const Proof& proof) {
  if (proof.verdict != ProofVerdict::refuted || !refuted_by_checker_alone(proof)) return {};
  for (const ProvedObligation& obligation : proof.obligations) {
    if (obligation.property != ProvedProperty::holds_at_small_sizes) continue;
    CHECK(obligation.verdict == ProofVerdict::refuted);
    CHECK(obligation.counterexample->confirmed == true);
    CHECK(obligation.span.known());
    return obligation.counterexample->arguments;
  }
  return {};
}

// Nothing for processor 3. Deliveries under a condition are not counted: so it is not known that all demands are met.
const std::string scatter_but_third =
    "param L in 1..62\n" + scatter_head + "for d in n-1 downto 1:\n  if (d xor 1) != 2: at n - d: send 0 -> d\n";

std::string flooded(const std::string& claims) {
  return "param L in 1..62\nparam capacity: pattern\nfabric fat_tree(levels: L, capacity: capacity)\n"
         "collective multinode_broadcast\nby fifo: for k in processors: send k -> all\n" +
         claims;
}

TEST_CASE("where an obligation is unknown, a small size that is wrong refutes the schedule") {
  const Proof proof = proof_of(scatter_but_third);
  CHECK(found_by_checker(proof) == Arguments{{"L", "2"}});
  for (const ProvedObligation& obligation : proof.obligations) {
    if (obligation.property == ProvedProperty::complete) CHECK(obligation.verdict != ProofVerdict::refuted);
  }
}

TEST_CASE("where the whole schedule is beyond the prover, too") {
  CHECK(proof_of(flooded("claim steps <= n + 1\n")).verdict == ProofVerdict::unknown);
  const Proof second = proof_of(flooded("claim steps != 5\n"));
  CHECK(found_by_checker(second) == Arguments{{"L", "2"}, {"capacity", "constant"}});
  CHECK_FALSE(second.why.empty());
  // One pattern only, of which the prover has not come to know that it matters.
  const Proof pattern = proof_of(flooded("claim capacity(3) != 4 when L >= 3\n"));
  CHECK(found_by_checker(pattern) == Arguments{{"L", "3"}, {"capacity", "exponential"}});
  // A fabric that the prover does not know: the smallest parameters.
  const Proof torus = proof_of(
      "param a in 2..100\nparam b in 2..100\nfabric torus(a, b)\ncollective multinode_broadcast\n"
      "by fifo: for k in processors: send k -> all\nclaim a != 2 or b != 3\n");
  CHECK(found_by_checker(torus) == Arguments{{"a", "2"}, {"b", "3"}});
}

TEST_CASE("with a value for every parameter, that size is asked about") {
  const auto schedule = compiled(flooded("claim steps != 5\n"));
  for (const char* levels : {"1", "2", "3"}) {
    ProveOptions options;
    options.arguments = {{"L", levels}, {"capacity", "constant"}};
    options.holds_at = [&](const Arguments& at) { return reference::holds_at(schedule, at); };
    CHECK(found_by_checker(prove(*schedule, options)).empty() == (std::string(levels) != "2"));
  }
}

TEST_CASE("sizes of which the checker says nothing, and those that are too large to ask, leave it unknown") {
  const auto schedule = compiled(scatter_but_third);
  std::vector<std::string> asked;
  ProveOptions options;
  options.holds_at = [&](const Arguments& at) {
    asked.push_back(at.at("L"));
    return std::optional<bool>();
  };
  CHECK(prove(*schedule, options).verdict == ProofVerdict::unknown);
  CHECK(asked == std::vector<std::string>{"1", "2", "3", "4", "5"});
  asked.clear();
  options.arguments = {{"L", "6"}};
  CHECK(prove(*schedule, options).verdict == ProofVerdict::unknown);
  CHECK(asked.empty());
  options.arguments = {{"L", "2"}};
  options.limits.deadline = Limits::Clock::time_point::min();
  CHECK(prove(*schedule, options).verdict == ProofVerdict::unknown);
  CHECK(asked.empty());
}

TEST_CASE("a size that takes too long to check says nothing") {
  const auto schedule = compiled("param L in 1..5\n" + scatter_head + "for k in 0..2^40: if k < 0: send 0 -> 1\n");
  CHECK_FALSE(reference::holds_at(schedule, {{"L", "1"}}).has_value());
  ElaborateOptions options;
  options.iterations = 1000;
  const auto table = elaborate(schedule, {{"L", "1"}}, options);
  REQUIRE_FALSE(table);
  CHECK(table.diagnostics().front().message ==
        "the schedule's loops and calls run more than 1000 times; that is this program's limit");
}

TEST_CASE("a mistake at a variable named limit is a mistake") {
  const auto schedule = compiled("param L in 1..5\n" + scatter_head + "for limit in 1..1: send 0 -> n + limit\n");
  const auto right = reference::holds_at(schedule, {{"L", "1"}});
  REQUIRE(right.has_value());
  CHECK_FALSE(*right);
}

TEST_CASE("what the prover has proved, and the checker refuses, is a fault of the prover, and refutes nothing") {
  const auto schedule =
      compiled("param L in 1..62\n" + scatter_head + "for d in n-1 downto 1: at n - d: send 0 -> d\n");
  ProveOptions options;
  options.holds_at = [](const Arguments& at) { return std::optional<bool>(at.at("L") != "3"); };
  const Proof proof = prove(*schedule, options);
  CHECK(proof.verdict == ProofVerdict::unknown);
  CHECK(proof.why == "a fault of the prover: the checker refuses L=3");
  CHECK_FALSE(refuted_by_checker_alone(proof));
}

}  // namespace
}  // namespace quadrille::tests
