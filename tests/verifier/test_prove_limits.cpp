// The prover at its limits: what is not decided is unknown, with the reason as a value.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>
#include <future>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "model/limits/resident_memory.h"
#include "model/limits/watch.h"
#include "tests/environment.h"
#include "tests/verifier/proofs.h"
#include "tests/verifier/stop_after.h"
#include "verifier/prover/algebra/witness.h"
#include "verifier/prover/unfold/unfold.h"

namespace quadrille::tests {
namespace {

const std::string scatter = "param L in 1..62\n" + scatter_head + "for d in n-1 downto 1: at n - d: send 0 -> d\n";

Proof proof_with(const ProveOptions& options) { return prove(*compiled(scatter), options); }

TEST_CASE("a proof whose deadline is past is unknown for want of time") {
  ProveOptions options;
  options.limits.deadline = Limits::Clock::time_point::min();
  const Proof proof = proof_with(options);
  CHECK(proof.verdict == ProofVerdict::unknown);
  CHECK(proof.reason == Reason::timeout);
  CHECK(proof.why.empty());
  for (const ProvedObligation& obligation : proof.obligations) {
    if (obligation.verdict == ProofVerdict::unknown) CHECK(obligation.reason == Reason::timeout);
  }
}

TEST_CASE("a proof that was asked to stop is unknown as it was cancelled") {
  std::stop_source stop;
  stop.request_stop();
  ProveOptions options;
  options.limits.stop = stop.get_token();
  const Proof proof = proof_with(options);
  CHECK(proof.verdict == ProofVerdict::unknown);
  CHECK(proof.reason == Reason::cancelled);
}

TEST_CASE("a proof ends wherever it is asked to stop, and claims nothing that it has not shown") {
  int reports = 0;
  ProveOptions counting;
  counting.limits.progress = [&reports](const Progress&) { ++reports; };
  REQUIRE(proof_with(counting).verdict == ProofVerdict::proved);
  REQUIRE(reports > 5);
  for (int k = 0; k < reports; k += brief ? 1 + reports / 6 : 1) {
    CAPTURE(k);
    ProveOptions options;
    options.threads = 1;
    options.limits = stop_after(k);
    const Proof proof = proof_with(options);
    CHECK(proof.verdict == ProofVerdict::unknown);
    CHECK(proof.reason == Reason::cancelled);
  }
}

TEST_CASE("a search for a witness looks at the limits") {
  prover::Algebra algebra;
  const prover::Atom x = algebra.variable("x", prover::Number(0), prover::Number(9));
  const prover::Sought sought{{x}, {}, {{prover::Number(x) + prover::Number(1), prover::Number(3)}}};
  CHECK(prover::some_witness(algebra, sought) == algebra.truth(true));
  algebra.pulse = [] { throw Ended{Reason::timeout}; };
  CHECK_THROWS_AS(prover::some_witness(algebra, sought), Ended);
}

// The memory is the test's own: the watch asks the system about the process. What other tests have freed is given back
// first, so that it is not given back meanwhile.
TEST_CASE("a proof that runs out of memory is unknown by its limit, wherever that is") {
  if (sanitized) return;  // the sanitizer keeps what is freed, and takes memory of its own
  for (int k = 0; k < 6; ++k) {
    CAPTURE(k);
    return_freed_memory();
    std::vector<char> much;
    ProveOptions options;
    options.threads = 1;
    options.limits.memory = std::uint64_t{100} << 20;  // the proof itself takes half of that
    options.limits.progress = [&much, left = k](const Progress&) mutable {
      if (left-- == 0) much.assign(std::size_t{256} << 20, 'x');
    };
    const Proof proof = proof_with(options);
    CHECK_FALSE(much.empty());
    CHECK(proof.verdict == ProofVerdict::unknown);
    CHECK(proof.reason == Reason::limit);
    for (const ProvedObligation& obligation : proof.obligations) {
      if (obligation.verdict == ProofVerdict::unknown) CHECK(obligation.reason == Reason::limit);
    }
  }
}

TEST_CASE("a watch interrupts when there is too much memory, and does not forget it") {
  return_freed_memory();
  Limits limits;
  limits.memory = 1 << 20;
  Watch watch(limits, Watch::AfterTooMuch::stays_over);
  std::vector<char> much(std::size_t{128} << 20, 'x');
  std::promise<void> interrupted;
  bool first = true;
  const Watch::Guard guard(watch, [&] {
    if (std::exchange(first, false)) interrupted.set_value();
  });
  REQUIRE(interrupted.get_future().wait_for(std::chrono::minutes(1)) == std::future_status::ready);
  CHECK(watch.reached() == Reason::limit);
  CHECK(much.back() == 'x');
  std::vector<char>().swap(much);
  watch.report({.stage = "again", .done = std::nullopt});
  CHECK(watch.reached() == Reason::limit);
}

TEST_CASE("what takes more effort than it is given is unknown, and the obligations are the same") {
  const Proof whole = proof_with({});
  CHECK(whole.reason == Reason::none);
  ProveOptions options;
  options.effort = 1000;
  const Proof hurried = proof_with(options);
  CHECK(hurried.verdict == ProofVerdict::unknown);
  CHECK(hurried.reason == Reason::limit);
  REQUIRE(hurried.obligations.size() == whole.obligations.size());
  int stopped = 0;
  for (std::size_t i = 0; i < whole.obligations.size(); ++i) {
    CHECK(hurried.obligations[i].meaning == whole.obligations[i].meaning);
    if (hurried.obligations[i].reason == Reason::limit) ++stopped;
  }
  CHECK(stopped > 0);
}

TEST_CASE("calls that double at each of many levels, and loops over lists of lists, are not followed for ever") {
  std::string procedures = "param L in 1..62\n" + scatter_head + "procedure p0(): send 0 -> 1\n";
  std::string functions = "param L in 1..62\n" + scatter_head + "let f0(x) = x\n";
  std::string lists = "param L in 1..62\n" + scatter_head;
  for (int i = 1; i <= 40; ++i) {
    procedures += fmt::format("procedure p{0}():\n  p{1}()\n  p{1}()\n", i, i - 1);
    functions += fmt::format("let f{0}(x) = f{1}(x) + f{1}(x + 1)\n", i, i - 1);
    lists += fmt::format("{}x{} in {{0, 1}}", i == 1 ? "for " : ", ", i);
  }
  procedures += "p40()\n";
  functions += "at f40(L): send 0 -> 1\n";
  lists += ": send 0 -> 1\n";
  const std::string kinds = "200 kinds of sends";
  for (const auto& [text, limit] : {std::pair(procedures, kinds), std::pair(lists, kinds),
                                    std::pair(functions, std::string("200000 statements and expressions"))}) {
    const Proof proof = prove(*compiled(text), {});
    CHECK(proof.verdict == ProofVerdict::unknown);
    CHECK(proof.reason == Reason::unsupported);
    CHECK(proof.why.find(fmt::format("more than {}", limit)) != std::string::npos);
  }
}

TEST_CASE("a schedule's calls are followed no further once the time is over") {
  std::stop_source stop;
  Limits limits;
  limits.stop = stop.get_token();
  Watch watch(limits);
  prover::Algebra algebra;
  algebra.pulse = [&] { watch.require_open(); };
  const auto schedule = compiled(scatter);
  prover::Unfolder unfolder(
      algebra, *schedule, {}, [](const auto&, prover::Formula) { return true; }, watch);
  stop.request_stop();
  CHECK_THROWS_AS(unfolder.run(), Ended);
  CHECK(unfolder.problem().families.empty());
}

TEST_CASE("a watch interrupts what runs when it is asked to stop, and what begins to run later") {
  std::stop_source stop;
  Limits limits;
  limits.stop = stop.get_token();
  Watch watch(limits);
  for (int i = 0; i < 2; ++i) {
    std::promise<void> interrupted;
    bool first = true;
    const Watch::Guard guard(watch, [&] {
      if (std::exchange(first, false)) interrupted.set_value();
    });
    stop.request_stop();
    interrupted.get_future().get();
    CHECK(watch.reached() == Reason::cancelled);
  }
}

TEST_CASE("a watch without limits, and one that is not needed any more, end at once") {
  const Limits none;
  Watch endless(none);
  CHECK(endless.reached() == Reason::none);
  std::stop_source stop;
  Limits limits;
  limits.stop = stop.get_token();
  Watch watch(limits);
  CHECK(watch.reached() == Reason::none);
}

}  // namespace
}  // namespace quadrille::tests
