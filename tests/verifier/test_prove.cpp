// The prover: what is wrong for some size must never be proved.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "dsl/load.h"
#include "tests/environment.h"
#include "tests/verifier/proofs.h"

namespace quadrille::tests {
namespace {

// At this size the checker finds a fault (or there is no table): so the prover must not say that it is proved.
void check_not_proved(const std::string& text, const Arguments& wrong_at) {
  CAPTURE(text);
  CHECK_FALSE(holds(compiled(text), wrong_at));
  const Proof proof = proof_of(text);
  CHECK(proof.verdict != ProofVerdict::proved);
  CHECK(proof.reason != Reason::internal);  // found out by the checker only
}

TEST_CASE("a comparison keeps its meaning where a power of two is common to both sides") {
  check_not_proved(broadcast("1..L") + "claim 1 == 2 when 2 * 2^(L - h) >= 2^L\n", {{"L", "3"}, {"h", "1"}});
  check_not_proved(broadcast("1..L") + "claim 2 * 2^(L - h) != 2^L\n", {{"L", "3"}, {"h", "1"}});
  check_not_proved("param L in 2..10\nparam h in 1..L\n" + scatter_head +
                       "for d in 1..n-1:\n"
                       "  at n - d + (if 2 * 2^(L - h) == 2^L and d == 1 then 0 - 1 else 0): send 0 -> d\n",
                   {{"L", "3"}, {"h", "1"}});
  check_not_proved("param L in 3..10\n" + scatter_head +
                       "for h in 1..L, d in 2^(h-1)..2^h-1:\n"
                       "  let late = if 2 * 2^(L - h) == 2^L then 1 else 0\n"
                       "  at n - d - late: send 0 -> d\n",
                   {{"L", "3"}});
}

TEST_CASE("a division by a constant zero is refuted") {
  for (const char* operation : {"/", "mod"}) {
    const Proof proof = proof_of(broadcast("1..L") + fmt::format("claim L {} 0 == 0\n", operation));
    CHECK(proof.verdict == ProofVerdict::refuted);
  }
}

TEST_CASE("a division by zero in some places only does not stop the prover") {
  check_not_proved(
      "param L in 1..10\n" + scatter_head +
          "for h in 1..L, d in 2^(h-1)..2^h-1: at (n - d) mod (h - 1) + 1: send 0 -> d\nclaim steps == n + 1\n",
      {{"L", "2"}});
  check_not_proved(
      "param L in 1..10\n" + scatter_head + "for d in n-1 downto 1: at n - d + 6 / (d - 1) / n: send 0 -> d\n",
      {{"L", "2"}});
}

TEST_CASE("a multicast to no one is not counted as a message") {
  for (const char* nobody : {"n..n-1", "1..0"}) {
    check_not_proved(broadcast("1..1") + fmt::format("at 70: send 0 -> {}\nclaim messages == 2\n", nobody),
                     {{"L", "3"}, {"h", "1"}});
  }
  check_not_proved(
      "param L in 1..10\nfabric fat_tree(levels: L, capacity: constant)\ncollective multinode_broadcast\n"
      "for k in processors: at k * 2 * L + 1: send k -> all\n"
      "at 2 * n * L + 1: send n-1 -> L..L-1\nclaim messages == n + 1\n",
      {{"L", "3"}});
}

TEST_CASE("a multicast goes to all of its set but the source") {
  const std::string head = "param L in 1..62\nfabric fat_tree(levels: L, capacity: constant)\n";
  const auto to = [&](const std::string& set) {
    return head + "collective broadcast(root: 0)\nsend 0 -> " + set + "\n";
  };
  for (const char* set : {"{d for d in processors if d != 0}", "{d for d in processors if d >= 0}", "n - 1 downto 0",
                          "1..n-1", "{d for d in 1..n-1 if d != 0}"}) {
    CHECK_MESSAGE(proof_of(to(set)).verdict == ProofVerdict::proved, std::string(set));
  }
  check_not_proved(to("{d for d in 0..n-2 if d != 0}"), {{"L", "2"}});
  check_not_proved(to("{d for d in 2..n-1 if d != 0}"), {{"L", "2"}});
  check_not_proved(to("{d for d in processors if d != 1}"), {{"L", "2"}});
  check_not_proved(to("{d for d in 2-L..n-1 if d != 0}"), {{"L", "3"}});
  check_not_proved(to("{d for d in 0..L if d != 0}"), {{"L", "2"}});
  CHECK(proof_of(to("{d for d in processors if d != 2^20}")).verdict != ProofVerdict::proved);
  const std::string from_each = head + "collective multinode_broadcast\nfor k in processors in turn: send k -> ";
  CHECK(proof_of(from_each + "{d for d in processors if d != k}\n").verdict == ProofVerdict::proved);
  CHECK(proof_of(from_each + "{d for d in processors if d != (k xor 1)}\n").verdict != ProofVerdict::proved);
  CHECK(proof_of(from_each + "{d for d in k .. n - 1 if d != k}\n").verdict != ProofVerdict::proved);
}

TEST_CASE("a loop in turn whose range runs backwards takes no time") {
  check_not_proved(
      "param L in 1..10\n" + scatter_head + "for k in 5..L in turn: at 1: send 0 -> 1\nclaim steps == 2*(L-4)\n",
      {{"L", "2"}});
}

TEST_CASE("'all' and 'any' run over what a set's condition allows only") {
  check_not_proved(broadcast("1..1") + "claim any(x == 0 for x in {k for k in 0..3 if k > 1})\n",
                   {{"L", "3"}, {"h", "1"}});
}

TEST_CASE("a step that depends on such a fold is what the compiler makes of it") {
  check_not_proved("param L in 2..10\n" + scatter_head +
                       "for d in n-1 downto 1:\n"
                       "  at n - d + (if all(x > 1 for x in {k for k in 0..3 if k > 1}) then d else 0): send 0 -> d\n",
                   {{"L", "3"}});
}

TEST_CASE("a negated comparison is the opposite, also where 2^(2-x) is there") {
  check_not_proved(broadcast("1..2") + "claim 1 == 2 when any(not 8*(h-1) >= 2^(2-x) for x in 1..2)\n",
                   {{"L", "3"}, {"h", "1"}});
}

TEST_CASE("an 'or' is false where both of its parts are, also where 2^(2-x) is there") {
  check_not_proved(broadcast("1..2") + "claim all(8*(h-1) >= 2^(2-x) or h == 9 for x in 1..2)\n",
                   {{"L", "3"}, {"h", "1"}});
}

TEST_CASE("what is proved is proved for sizes of which there is a machine") {
  check_not_proved(
      "param L in 0..5\nfabric fat_tree(levels: L, capacity: constant)\ncollective broadcast(root: 0)\n"
      "at 1: send 0 -> all\n",
      {{"L", "0"}});
}

TEST_CASE("what a processor passes on is for the one that it was sent for") {
  check_not_proved(
      "param N in 3..20\nfabric ring(N)\ncollective scatter(root: 0)\n"
      "for t in 1..N-1: at t: send t-1 -> t carrying 0 -> t\n",
      {{"N", "3"}});
}

TEST_CASE("processors of a ring are not all neighbours") {
  const std::string ring =
      "param N in 5..2000\nfabric ring(N)\ncollective multinode_broadcast\n"
      "for t in 1..N-1, i in 0..N-1: at t: send i -> (i + 1) mod N carrying (i + N - (t - 1)) mod N\n";
  CHECK(proof_of(ring).verdict == ProofVerdict::proved);
  check_not_proved(ring + "claim distance(0, 2) == 1\n", {{"N", "5"}});
  check_not_proved(ring + "claim (if N > 1000 then distance(0, 5) else 1) == 1\n", {{"N", "1001"}});
}

TEST_CASE("a sequence that is empty ends nothing, though it starts late") {
  check_not_proved(
      "param L in 1..10\nfabric fat_tree(levels: L, capacity: constant)\ncollective broadcast(root: 0)\n"
      "for h in 1..2 in turn:\n  at 5: for d in 1..2-h in turn: send 0 -> all\nclaim steps == 2*L + 8\n",
      {{"L", "1"}});
}

TEST_CASE("what is not said of a packet is what the compiler takes it for") {
  const Proof relayed = proof_of(
      "param N in 2..20\nfabric ring(N)\ncollective broadcast(root: 0)\n"
      "for i in 0..N-2: at i + 1: send i -> i + 1\nclaim steps == N - 1\n");
  CHECK(relayed.verdict == ProofVerdict::proved);
  const Proof gathered = proof_of(
      "param N in 2..20\nfabric ring(N)\ncollective gather(root: 0)\n"
      "for o in 1..N-1, i in o downto 1: at 2*o - i: send i -> i - 1 carrying o\n");
  CHECK(gathered.verdict == ProofVerdict::proved);
}

TEST_CASE("what is proved is proved for sizes that the compiler takes") {
  for (const char* end : {"63", "64"}) {
    check_not_proved(fmt::format("param N in 2..2^{}\nfabric ring(N)\ncollective broadcast(root: 0)\n"
                                 "for i in 0..N-2: at i + 1: send i -> i + 1\n",
                                 end),
                     {{"N", "2"}});
  }
  const Proof alone = proof_of(
      "param N in 1..20\nfabric ring(N)\ncollective broadcast(root: 0)\n"
      "for i in 0..N-2: at i + 1: send i -> i + 1\n");
  CHECK(alone.verdict == ProofVerdict::proved);
}

TEST_CASE("an exponent stays what it is when something is put into it") {
  check_not_proved(broadcast("2..3") + "claim sum(2^k for k in 0..L*h) == 2^(L+1) - 1\n", {{"L", "2"}, {"h", "2"}});
  check_not_proved(broadcast("2..3") + "let all_of_them = sum(2^k for k in 1..2^h)\nclaim all_of_them == 2\n",
                   {{"L", "2"}, {"h", "2"}});
  check_not_proved("param L in 2..5\nparam k in 0..2^32\n" + scatter_head +
                       "for d in n-1 downto 1: at n - d: send 0 -> d\n"
                       "if k <= 2*L:\n  if 2^(2*L - k) < 64: send 0 -> 1\n",
                   {{"L", "2"}, {"k", "4"}});
}

TEST_CASE("a name of the schedule's is none of the encoder's") {
  for (const char* name : {"term", "bits"}) {
    check_not_proved(fmt::format("param {} in 1..10\nfabric fat_tree(levels: {}, capacity: constant)\n"
                                 "collective broadcast(root: 0)\nsend 0 -> all\nclaim n*n + 3*n <= 100\n",
                                 name, name),
                     {{name, "4"}});
  }
}

TEST_CASE("the least or greatest of nothing is refuted") {
  check_not_proved(
      "param L in 2..10\n" + scatter_head + "for d in n-1 downto 1: at n - d + 0*max(x for x in 4..L): send 0 -> d\n",
      {{"L", "2"}});
  check_not_proved(broadcast("1..1") + "claim min(x for x in 4..L) == 4\n", {{"L", "3"}, {"h", "1"}});
}

TEST_CASE("'all' and 'any' begin with the first of a range whose bound is a fraction") {
  check_not_proved(broadcast("1..2") + "claim all(x != 3 for x in sum(y for y in 1..h-1) + 3 .. 6)\n",
                   {{"L", "3"}, {"h", "1"}});
}

TEST_CASE("what a claim is measured by is not another claim's") {
  check_not_proved("param L in 2..10\n" + scatter_head +
                       "for d in n-1 downto 1: at n - d + (if L == 3 and d == 1 then 2 else 0): send 0 -> d\n"
                       "claim steps == n + 1 when L != 3\nclaim L != 3 when steps == n + 2\n",
                   {{"L", "3"}});
}

TEST_CASE("a reversal that never happens leaves the collective as it is") {
  check_not_proved("param L in 2..10\n" + scatter_head +
                       "if L*L == 40:\n  reverse:\n    by fifo: send 3 -> 0\n"
                       "for d in n-1 downto 1: at d: send d -> 0\n",
                   {{"L", "2"}});
}

TEST_CASE("each pattern of capacities has a value of its own") {
  const std::string two =
      "param L in 1..5\nparam p: pattern\nparam q: pattern\nfabric fat_tree(levels: L, capacity: p)\n"
      "collective broadcast(root: 0)\nsend 0 -> all\n";
  check_not_proved(two + "claim p(2) == q(2)\n", {{"L", "2"}, {"p", "constant"}, {"q", "exponential"}});
  const Proof proof = proof_of(two + "claim p(1) == q(1)\n");
  CHECK(proof.verdict == ProofVerdict::proved);
  for (const ProvedParameter& parameter : proof.parameters) {
    if (parameter.name != "L") CHECK(parameter.values == "constant or exponential");
  }
}

TEST_CASE("what is refuted for one pattern of capacities is refuted, whatever is unknown for the other") {
  const Proof proof = proof_of(
      "param L in 1..5\nparam p: pattern\nfabric fat_tree(levels: L, capacity: p)\ncollective broadcast(root: 0)\n"
      "send 0 -> all\nclaim p(2) == 2\nclaim p(3) == 1 or sum(x mod L for x in 1..L) >= 0\n");
  CHECK(proof.verdict == ProofVerdict::refuted);
}

TEST_CASE("nothing must hold at sizes, and of elements, that there are not") {
  CHECK(proof_of(broadcast("L..7") + "claim (if L <= 7 then 1 else 0) == 1\n").verdict == ProofVerdict::proved);
  for (const char* more : {"claim 2^(7-L) >= 1\n", "claim 1/(8-L) >= 0\n"})
    CHECK(proof_of(broadcast("L..7") + more).verdict != ProofVerdict::refuted);
  CHECK(proof_of("param L in 1..62\nfabric fat_tree(levels: L, capacity: constant)\ncollective broadcast(root: 0)\n"
                 "send 0 -> all\nclaim all(1/(10 - x) <= 1 for x in 1..L if x != 10)\n")
            .verdict == ProofVerdict::proved);
  const Proof gap = proof_of(
      "param L in {x for x in 1..62 if x != 40}\nfabric fat_tree(levels: L, capacity: constant)\n"
      "collective broadcast(root: 0)\nsend 0 -> all\nclaim 1/(L - 40) <= 1\n");
  CHECK(gap.verdict == ProofVerdict::unknown);
}

TEST_CASE("a part in which nothing is sent ends nothing, wherever it starts") {
  const Proof proof = proof_of(
      "param L in 1..9\nfabric fat_tree(levels: L, capacity: constant)\ncollective total_exchange\n"
      "for k in processors in turn:\n  for d in n-1 downto 1: at n - d: send k -> k xor d\n"
      "  at 5*n: for d in 1..0: send k -> k xor 1\nclaim steps == n*(n+1) when L >= 2\n");
  CHECK(proof.verdict == ProofVerdict::proved);
  CHECK(proof.why.empty());
}

TEST_CASE("the guess at a formula ends, however large the smallest size is") {
  const Proof proof = proof_of(broadcast("1..1") + "if L > 10: for k in 0..2^60: if k < 0: send 0 -> 1\n");
  CHECK(proof.verdict == ProofVerdict::proved);
  const Proof large = proof_of(
      "param L in 40..62\nfabric fat_tree(levels: L, capacity: constant)\ncollective broadcast(root: 0)\n"
      "send 0 -> all\nfor k in 0..n-1: if k*k == 7: for d in 1..0: send 0 -> 1\n");
  CHECK(large.verdict == ProofVerdict::unknown);
}

TEST_CASE("what has no value has the same one for Z3 and for who checks after it") {
  const Proof proof = proof_of(
      "param L in 2..3\nfabric fat_tree(levels: L, capacity: exponential)\ncollective total_exchange\n"
      "for h in L downto 1, l in 0..2^(h-1)-1:\n  at 2^L - 2^h + 2*(L - h) + 1 + l:\n"
      "    for k in processors: send k -> (k xor 2^(h-1) xor l) + (if log2(l - 2) > (l - 4)*l then 1 else 0)\n");
  CHECK(proof.verdict == ProofVerdict::refuted);
  for (const ProvedObligation& obligation : proof.obligations) CHECK(obligation.reason != Reason::internal);
}

TEST_CASE("what is proved is proved of something, and says so where there is nothing") {
  const Proof proof = proof_of(broadcast("1..3") + "claim n == 5 when h > 3\nclaim n >= 2 when h == 3\n");
  CHECK(proof.verdict == ProofVerdict::proved);
  std::map<std::string, bool> vacuous;
  for (const ProvedObligation& obligation : proof.obligations) {
    CAPTURE(obligation.meaning);
    CHECK(obligation.vacuous.has_value() == (obligation.theory.theory != Theory::construction));
    CHECK(obligation.vacuous.value_or(false) == obligation.meaning.ends_with("(there are none)"));
    vacuous[obligation.name] = obligation.vacuous.value_or(false);
  }
  CHECK(vacuous.at("n == 5 when h > 3"));
  CHECK_FALSE(vacuous.at("n >= 2 when h == 3"));
}

// --- what is right ---------------------------------------------------------------------------------------------------

TEST_CASE("the shipped schedules are proved, for the sizes that they declare") {
  const std::map<std::string, std::vector<std::string>> capacities = {
      {"broadcast", {"any"}},
      {"scatter", {"any"}},
      {"gather", {"any"}},
      {"multinode_broadcast_phased", {"any"}},
      {"total_exchange", {"constant or exponential"}},
      {"total_exchange_phased", {"constant or exponential"}},
      {"total_exchange_serial", {"any"}},
      {"total_exchange_paired", {"any"}}};
  for (const auto& entry : capacities) {
    const std::string& name = entry.first;
    const std::vector<std::string>& values = entry.second;
    if (sanitized && name != "scatter" && name != "broadcast") continue;  // Z3 is not what they look at
    if (brief && (name == "total_exchange_phased" || name == "total_exchange_paired"))
      continue;  // as slow as the first
    CAPTURE(name);
    const Proof proof = proof_of_shipped(name);
    CHECK(proof.verdict == ProofVerdict::proved);
    CHECK(proof.why.empty());
    REQUIRE(proof.parameters.size() == 2);
    for (const ProvedParameter& parameter : proof.parameters) {
      CHECK(parameter.values == (parameter.name == "L" ? "1..62" : values[0]));
    }
  }
  const Proof ring = proof_of_shipped("ring_multinode_broadcast");
  CHECK(ring.verdict == ProofVerdict::proved);
  for (const ProvedObligation& obligation : ring.obligations) CHECK(obligation.theory.theory != Theory::bit_vectors);
  if (brief) return;  // some twenty seconds
  const Proof shortest = proof_of_shipped("total_exchange_shortest");
  CHECK(shortest.verdict == ProofVerdict::proved);
  CHECK(shortest.parameters.at(0).values == "3..62");
  const Proof quartered = proof_of_shipped("total_exchange_quartered");
  CHECK(quartered.verdict == ProofVerdict::proved);
  CHECK(quartered.parameters.at(0).values == "4..62");
}

// What makes total_exchange_quartered right is which quarters send and receive when: a little else, and packets meet.
TEST_CASE("total exchange by quarters is not proved with other times or quarters") {
  if (!long_run()) return;  // a minute for each
  const std::string right(shipped_schedule("total_exchange_quartered")->text);
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"at 3: beside(1)", "at 2: beside(1)"},
      {"at 3*Q^2 + 3: beside(0)", "at 3*Q^2 + 2: beside(0)"},
      {"at Q^2 + start(h): within(1, h)", "at Q^2 + start(h): within(0, h)"},
      {"at 2*Q^2 + start(h): within(0, h)", "at 2*Q^2 + start(h) + Q^2: within(0, h)"},
      {"- 4^(h - 1)) + 5", "- 4^(h - 1)) + 4"},
      {"at Q^2 + 1: across(0, 0)", "at Q^2: across(0, 0)"},
      {"at 2*Q^2 + 1: across(1, 1)", "at 2*Q^2 + 1: across(1, 0)"}};
  for (const auto& change : changes) {
    const std::string& from = change.first;
    const std::string& to = change.second;
    CAPTURE(to);
    std::string wrong = right;
    REQUIRE(wrong.find(from) != std::string::npos);
    wrong.replace(wrong.find(from), from.size(), to);
    const auto schedule = compiled(wrong);
    CHECK_FALSE(holds(schedule, {{"L", "4"}}));
    ProveOptions options;
    options.effort = 5'000'000;
    CHECK(prove(*schedule, options).verdict != ProofVerdict::proved);
  }
}

TEST_CASE("one value of a parameter is proved alone") {
  const Proof proof = proof_of_shipped("total_exchange", {{"L", "5"}, {"capacity", "exponential"}});
  CHECK(proof.verdict == ProofVerdict::proved);
}

TEST_CASE("what is divided by a number of columns is decided for each number of columns") {
  const Proof proof = proof_of(
      "param R in 2..4\nparam C in 2..5\nfabric complete(R*C, timing: rounds)\ncollective allgather\n"
      "for t in 1..C-1: at t: for k in processors: send k -> k - k mod C + (k mod C + t) mod C\n");
  for (const ProvedObligation& each : proof.obligations) {
    CAPTURE(each.meaning);
    const bool concerned =
        each.property == ProvedProperty::well_formed || each.property == ProvedProperty::contention_free;
    if (concerned) CHECK(each.verdict == ProofVerdict::proved);
  }
}

TEST_CASE("a power of a negative number has the sign of its exponent's parity") {
  const std::string text =
      "param L in 1..10\nfabric complete(2, timing: rounds)\ncollective broadcast(root: 0)\n"
      "at 2^L + (-2)^L + 1: send 0 -> 1\n";
  CHECK(proof_of(text + "claim rounds == (if L mod 2 == 0 then 2^(L+1) + 1 else 1)\n").verdict == ProofVerdict::proved);
  CHECK(proof_of(text + "claim rounds == (if L mod 2 == 1 then 2^(L+1) + 1 else 1)\n").verdict ==
        ProofVerdict::refuted);
}

}  // namespace
}  // namespace quadrille::tests
