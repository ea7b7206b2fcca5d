// Halving and doubling: blocks of ranks that agree in their first digits, or their last, and what is over a power of
// two folded in. That the schedules are proved for all sizes of a range, and nothing subtly wrong is.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dsl/load.h"
#include "tests/environment.h"
#include "tests/verifier/proofs.h"

namespace quadrille::tests {
namespace {

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE_MESSAGE(at != std::string::npos, from);
  return text.replace(at, from.size(), to);
}

// Of other sizes, mostly fewer, as the whole range takes seconds.
std::string up_to(int last, const char* name, const std::string& range) {
  return with(std::string(shipped_schedule(name)->text), "param N in " + range,
              "param N in 2.." + std::to_string(last));
}

struct Change {
  std::string from, to;
};

// The last one in brief runs, as each takes seconds; all of them in long runs, else a third.
std::vector<Change> tried(const std::vector<Change>& changes) {
  if (brief) return {changes.back()};
  if (long_run()) return changes;
  std::vector<Change> result;
  for (std::size_t i = 1; i < changes.size(); i += 3) result.push_back(changes[i]);
  return result;
}

// The schedule's change is found out, at a size that the checker refuses, too.
void check_refuted(const std::string& text, const std::vector<Change>& changes) {
  for (const Change& change : tried(changes)) {
    CAPTURE(change.from);
    CAPTURE(change.to);
    const Proof proof = proof_of(with(text, change.from, change.to));
    CHECK(proof.verdict == ProofVerdict::refuted);
    bool shown = false;
    for (const ProvedObligation& obligation : proof.obligations) {
      shown = shown || (obligation.counterexample && obligation.counterexample->confirmed.value_or(false));
    }
    CHECK(shown);
  }
}

// What is said of it is not proved, be it wrong or too little.
void check_not_proved(const std::string& text, const std::vector<Change>& changes) {
  for (const Change& change : tried(changes)) {
    CAPTURE(change.from);
    CAPTURE(change.to);
    CHECK(prove(*compiled(with(text, change.from, change.to)), {}).verdict != ProofVerdict::proved);
  }
}

TEST_CASE("an all-reduce after Rabenseifner is proved, and nothing subtly wrong") {
  const std::string text = up_to(brief ? 10 : 22, "allreduce_rabenseifner", "2..16384");
  CHECK(proof_of(text).verdict == ProofVerdict::proved);
  check_refuted(text,
                {{"let first = (j xor d)/d*d", "let first = j/d*d"},
                 {"let d = P/2^t", "let d = 2^(t-1)"},
                 {"for t in 0..log2(P)-1:", "for t in 0..log2(P)-2:"},
                 {"j xor 2^t", "j xor 1"},
                 {"at 1: send 2*j -> 2*j + 1 carrying part 0..P-1", "at 1: send 2*j -> 2*j + 1 carrying part 1..P-1"},
                 {"at before + 2*log2(P) + 1", "at before + 2*log2(P)"}});
  check_not_proved(
      text, {{"carrying part first..first+d-1", "carrying part first..first+(if N == 21 and j == 3 then d-2 else d-1)"},
             {"at before + t:", "at before + t + (if N == 19 then 1 else 0):"},
             {"then k - 1 else k) .. k}", "then k - 2 else k) .. k}"},
             {"stands(i) mod 2^(before+L-t) == j", "stands(i) mod 2^(before+L-t+1) == j"},
             {"processors when t > before + 2*L or stays(k)", "processors when t > before + 2*L"},
             {"processors when v/2^(t-before-L) == j", "processors when v/2^(t-before-L+1) == j"}});
}

TEST_CASE("an all-reduce by recursive doubling is proved, and nothing subtly wrong") {
  const std::string text = up_to(brief ? 10 : 30, "allreduce_recursive_doubling", "2..65536");
  CHECK(proof_of(text).verdict == ProofVerdict::proved);
  check_refuted(text, {{"at before + log2(P) + 1: send 2*j + 1", "at before + log2(P): send 2*j + 1"},
                       {"real(j xor 2^t)", "real((j + 2^t) mod P)"},
                       {"for t in 0..log2(P)-1", "for t in 1..log2(P)-1"}});
  check_not_proved(text, {{"send real(j) -> real(j xor 2^t)", "if N != 29 or j != 3: send real(j) -> real(j xor 2^t)"},
                          {"{low(block(j, t-before))", "{real(block(j, t-before))"},
                          {"when t == 0 or stays(k)", "when t == 0 or not stays(k)"}});
}

// Recursive multiplying of these radices.
std::string multiplying(const std::string& radix, int last) {
  return with(up_to(last, "allreduce_recursive_multiplying", "2..65536"), "param radix in 2..16 = 3",
              "param radix in " + radix);
}

TEST_CASE("an all-reduce by recursive multiplying is proved, and nothing subtly wrong") {
  const std::string text = multiplying("3..3", brief ? 10 : 30);
  CHECK(proof_of(text).verdict == ProofVerdict::proved);
  check_refuted(text, {{"j in 1..(N-1-k)/P", "j in 1..min(1, (N-1-k)/P)"},
                       {"if x != digit: send", "if x > digit: send"},
                       {"for i in 0..digits-1", "for i in 1..digits-1"},
                       {"at before + digits + 1", "at before + digits"}});
  check_not_proved(text, {{"if x != digit: send", "if x != digit and (N != 29 or k != 3): send"},
                          {"or t > 0 and", "or t >= 0 and"},
                          {"x mod P/radix^(t-before) == k", "x mod P/radix^(t-before+1) == k"},
                          {"when t > before + digits or k < P", "when t > before + digits or k <= P"}});
}

TEST_CASE("an all-reduce by recursive multiplying is proved for every number of processors") {
  for (const char* radix : few({"2..16", "3..3"})) {
    CAPTURE(radix);
    CHECK(proof_of(multiplying(radix, 65536)).verdict == ProofVerdict::proved);
  }
}

}  // namespace
}  // namespace quadrille::tests
