// Invariants that speak of other processors from step to step: of those that drop out nothing is known afterwards, and
// of those that come in, that they get everything.
#include <doctest/doctest.h>

#include <string>

#include "dsl/load.h"
#include "tests/verifier/proofs.h"

namespace quadrille::tests {
namespace {

ProofVerdict verdict(const std::string& text) { return prove(*compiled(text), {}).verdict; }

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

const std::string head = "param N in 2..300\nfabric complete(N, timing: rounds)\n";

// To 0 along a line, and from 0 to the others, one after another.
const std::string there_and_back =
    head +
    "collective allreduce\n"
    "for d in 1..n-1: at n - d: send d -> d - 1\n"
    "for d in 1..n-1: at n - 1 + d: send 0 -> d\n"
    "invariant after t in 0..n-1: for d in 0..n-1: held(d) == if d == n - 1 - t then {d..n-1} else {d}\n"
    "  when d <= n - 1 - t\n"
    "invariant after t in n-1..2*n-2: for d in 0..n-1: held(d) == processors when d <= t - n + 1\n";

TEST_CASE("who drops out, and who gets everything, need no statement of what they hold") {
  CHECK(verdict(there_and_back) == ProofVerdict::proved);
}

TEST_CASE("who comes in is stated only with everything") {
  // Right, but what 1 held before is not known.
  const std::string part = head +
                           "collective prefix\n"
                           "for k in 0..n-2: at k + 1: send k -> k + 1\n"
                           "invariant after t in 0..n-1: for k in processors: held(k) == {0..k} when k <= t\n";
  CHECK(verdict(part) != ProofVerdict::proved);
  CHECK(verdict(with(there_and_back, "when d <= t - n + 1", "when d <= t - n + 2")) != ProofVerdict::proved);
}

TEST_CASE("what is sent to one of whom nothing is stated must be everything") {
  // 0 gets {1}, {1, 2}, …, each of which overlaps the ones before.
  const std::string overlapping =
      head +
      "collective allreduce\n"
      "for d in 1..n-1: at d: send d -> 0\n"
      "for d in 1..n-1: at n - 1 + d: send 0 -> d\n"
      "for d in 1..n-2: at d: send d -> d + 1\n"
      "invariant after t in 0..n-1: for d in 0..n-1: held(d) == if d == t + 1 then {1..d} else {d}\n"
      "  when d > t or d == 0\n"
      "invariant after t in n-1..2*n-2: for d in 0..n-1: held(d) == processors when d <= t - n + 1\n";
  CHECK(verdict(overlapping) != ProofVerdict::proved);
  for (const auto& [from, to] : {std::pair{"when d <= n - 1 - t", "when d < n - 1 - t"},
                                 {"when d <= n - 1 - t", "when d <= n - 1 - t and d > 0"},
                                 {"when d <= n - 1 - t", "when d <= n - 2 - t or t < n - 1"},
                                 {"then {d..n-1}", "then {d..n-2}"},
                                 {"at n - 1 + d: send 0", "at n - 2 + d: send 0"},
                                 {"at n - 1 + d: send 0", "if d != 200: at n - 1 + d: send 0"},
                                 {"at n - d: send d -> d - 1", "if d != 150 or n < 200: at n - d: send d -> d - 1"}}) {
    const std::string wrong = with(there_and_back, from, to);
    CAPTURE(wrong);
    CHECK(verdict(wrong) != ProofVerdict::proved);
  }
}

TEST_CASE("reversals that combine are proved") {
  const std::string chain = head +
                            "collective reduce(root: 0)\n"
                            "reverse: for d in 1..n-1: at d: send d - 1 -> d\n"
                            "invariant after t in 0..n-1: for d in 0..n-1: held(d) == {d..n-1} when d == n - 1 - t\n";
  const std::string stated =
      with(chain, "held(d) == {d..n-1} when d == n - 1 - t", "held(d) == if d >= n - 1 - t then {d..n-1} else {d}");
  CHECK(verdict(stated) == ProofVerdict::proved);
  CHECK(verdict(chain) != ProofVerdict::proved);  // who is sent to is not spoken of before
  CHECK(verdict(with(stated, "for d in 1..n-1: at d", "for d in 1..n-1: at d + 1")) == ProofVerdict::proved);
  CHECK(verdict(with(stated, "for d in 1..n-1: at d", "for d in 1..n-2: at d")) != ProofVerdict::proved);
  // Of two sends that inform a processor only the first is turned round.
  CHECK(verdict(with(stated, "send d - 1 -> d", "send d - 1 -> 1")) != ProofVerdict::proved);
  CHECK(verdict(with(stated, "send d - 1 -> d", "send d -> d - 1")) != ProofVerdict::proved);
}

TEST_CASE("shipped schedules whose rows and columns, or rounds, are told apart are proved for every size") {
  for (const char* name : few({"allreduce_one_shot", "reduce_chain", "reduce_scatter_pairwise", "prefix_linear"})) {
    CAPTURE(name);
    CHECK(proof_of_shipped(name).verdict == ProofVerdict::proved);
  }
}

}  // namespace
}  // namespace quadrille::tests
