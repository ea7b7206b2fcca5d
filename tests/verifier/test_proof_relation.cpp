// The second reader's rules by a relation: right schedules of all styles are accepted, and of each wrong one just the
// rule that is for it refuses something, whatever relation stands in the proof.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <string>
#include <vector>

#include "tests/reference/compiled.h"
#include "tests/reference/proof_asker.h"
#include "tests/reference/written_proofs.h"
#include "verifier/proof_reader/parts.h"

namespace {

using namespace quadrille;

WrittenProof written(const std::string& text) {
  CAPTURE(text);
  return reference::written_proof(text);
}

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), by);
}

bool shown(const proof_reader::Leaf& leaf) {
  tests::ProofAsker asker;
  for (std::size_t i = 0; const auto asked = proof_reader::question(leaf, i); ++i) {
    if (asker(asked->text).word == SolverAnswer::Word::unsat) return true;
  }
  return proof_reader::is_plain(leaf);
}

// The rules of which a leaf is not shown.
std::string refused_by(const WrittenProof& proof) {
  const auto read = reference::reread(proof);
  if (!read) return read.diagnostics().front().message;
  std::set<std::string> rules;
  for (const proof_reader::Application& each : read->parts().applications) {
    try {
      for (const proof_reader::Leaf& leaf : proof_reader::leaves_of(read->parts().subject(), each)) {
        if (!rules.contains(each.rule) && !shown(leaf)) rules.insert(each.rule);
      }
    } catch (const proof_reader::Refused&) {
      rules.insert(each.rule);
    }
  }
  return fmt::format("{}", fmt::join(rules, " "));
}

const std::string rounds = "param N in 3..100\nfabric complete(N, timing: rounds)\n";
const std::string ring = "param N in 3..100\nfabric ring(N)\n";

TEST_CASE("what copies or combines is accepted by its relation, in rounds and steps, one after another or not") {
  if (!tests::ProofAsker::there()) return;
  for (const std::string& text :
       {ring + "collective allgather\nfor t in 1..N-1: at t: for k in processors:\n"
               "  send k -> (k + 1) mod N carrying (k - t + 1 + N) mod N\n",
        // both ways round
        ring + "collective broadcast\nfor k in 0..N/2-1: at k + 1: send k -> k + 1\n"
               "for k in 0..(N-1)/2-1: at k + 1: send (N - k) mod N -> N - 1 - k\n",
        // with two invariants, one of which is a lower bound
        rounds + "collective broadcast\nfor k in 0..N-2: at k + 1: send k -> k + 1\n"
                 "invariant after t in 0..N-1: for k in processors: held(k) == if k <= t then {0} else {}\n"
                 "invariant after t in 1..N-1: held(1) contains {0}\n",
        rounds + "collective allreduce\nfor d in 1..N-1: at d: send d -> 0\nthen for d in 1..N-1: at d: send 0 -> d\n",
        rounds + "collective reduce(root: 0)\nfor t in 1..N-1 in turn: send N - t -> N - t - 1\n",
        rounds + "collective allreduce(operation: idempotent)\nfor t in 1..N-1: at t: for k in processors:\n"
                 "  send k -> (k + 1) mod N\n",
        rounds + "collective prefix\nfor k in 0..N-2: at k + 1: send k -> k + 1\n",
        ring + "collective reduce_scatter\nfor t in 1..N-1: at t: for k in processors:\n"
               "  send k -> (k + 1) mod N carrying part (k - t + N) mod N\n",
        rounds + "collective reduce(root: 0)\nfor t in 1..N-1: at t: send N - t -> N - t - 1\n"
                 "invariant after t in 0..N-1: held(0) == if t >= N - 1 then {0..N-1} else {0}\n"}) {
    CAPTURE(text);
    const WrittenProof proof = written(text);
    CAPTURE(proof.proof);
    CHECK(proof.proof.find("(arrivals") != std::string::npos);
    CHECK(reference::faults_at_small_sizes(proof) == "");
    CHECK(refused_by(proof) == "");
  }
}

TEST_CASE("of each wrong schedule just the rule that is for it refuses something") {
  if (!tests::ProofAsker::there()) return;
  const auto refused = [](const std::string& text) {
    const WrittenProof proof = written(text);
    CHECK(reference::faults_at_small_sizes(proof) != "");
    return refused_by(proof);
  };
  const std::string reduce =
      "param N in 3..100\nfabric complete(N, timing: rounds, paths: shared)\ncollective reduce(root: 1)\n";
  // one send, twice: what comes at once is not disjoint from itself
  CHECK(refused(reduce + "for i in 0..1: at 1: send 0 -> 1\nfor k in 2..N-1: at k: send k -> 1\n") == "at_once");
  // a superset that does not come alone: the smaller joins first
  CHECK(refused("param N in 3..3\nfabric complete(N, timing: rounds, paths: shared)\ncollective reduce(root: 2)\n"
                "at 1: send 2 -> 1\nat 2: send 0 -> 2\nat 2: send 1 -> 2\n") == "at_once");
  // the same contribution, later again
  CHECK(refused(reduce + "at 1: send 0 -> 1\nat 2: send 0 -> 1\nfor k in 2..N-1: at k + 1: send k -> 1\n") == "joins");
  // a gap before it is closed
  CHECK(refused(replaced(reduce, "root: 1", "root: 1, operation: ordered") +
                "for k in 2..N-1: at N - k: send k -> 1\nat N: send 0 -> 1\n") == "no_gap");
  // not all that is wanted
  CHECK(refused(reduce + "for k in 2..N-1: at k: send k -> 1\n") == "ends");
  CHECK(refused(ring + "collective allgather\nfor t in 1..N-2: at t: for k in processors:\n"
                       "  send k -> (k + 1) mod N carrying (k - t + 1 + N) mod N\n") == "arrived");
}

TEST_CASE("a relation that is not so is refused by the rule that looks at it") {
  if (!tests::ProofAsker::there()) return;
  const auto forged = [](WrittenProof proof, const std::string& arrivals, const std::string& witnesses = "") {
    const auto list = [&](const char* name, const std::string& by) {
      const std::size_t begin = proof.proof.find(name);
      REQUIRE(begin != std::string::npos);
      std::size_t end = begin;
      for (int depth = 0; end == begin || depth > 0; ++end)
        depth += proof.proof[end] == '(' ? 1 : proof.proof[end] == ')' ? -1 : 0;
      proof.proof.replace(begin, end - begin, by);
    };
    list("(arrivals", fmt::format("(arrivals {})", arrivals));
    if (!witnesses.empty()) list("(comes", fmt::format("(comes {})", witnesses));
    return refused_by(proof);
  };
  const WrittenProof chain = written(rounds + "collective broadcast\nfor k in 0..N-2: at k + 1: send k -> k + 1\n");
  const std::string brought = "(brought m1 1 (k (+ -1 any.processor)))";
  CHECK(forged(chain, "(case true any.processor)", fmt::format("(case {})", brought)) == "");
  CHECK(forged(chain, "(case true 0)", fmt::format("(case {})", brought)) == "arrivals");
  CHECK(forged(chain, "(case (= any.processor 0) 0) (case true never)", "(case) (case)") == "arrived has");
  CHECK(forged(chain, "(case true any.processor)", "(case)") == "comes");
  CHECK(forged(chain, "(case true any.processor)", "(case (brought m1 1 (k any.processor)))") == "comes");
  CHECK(forged(chain, "(case true (+ any.processor (div any.processor N)))", fmt::format("(case {})", brought)) == "");
  CHECK(forged(chain, "(case true (+ any.processor (div 0 any.processor)))", fmt::format("(case {})", brought)) ==
        "arrivals comes has");
  CHECK(forged(chain, "(case true any.step)").find("is no variable that is known here") != std::string::npos);
  CHECK(forged(chain, "(case true any.processor)", "(case) (case)") == "comes");
  // what it brings to the last one is left out
  const WrittenProof more = written(rounds +
                                    "collective reduce(root: 0)\nfor k in 1..N-1: at k: send k -> 0\n"
                                    "at N: send 0 -> N - 1\n");
  CHECK(refused_by(more) == "");
  CHECK(forged(more,
               "(case (= any.processor any.origin) 0) (case (not (= any.processor 0)) never) (case true any.origin)",
               "(case) (case) (case (brought m1 1 (k any.origin)))") == "lands");
}

TEST_CASE("a core form whose packets do not go from sender to target is refused by `own`") {
  if (!tests::ProofAsker::there()) return;
  WrittenProof proof = written(rounds + "collective reduce(root: 0)\nfor k in 1..N-1: at k: send k -> 0\n");
  CHECK(refused_by(proof) == "");
  proof.core = replaced(proof.core, "(origin k)", "(origin (+ k -1 (div k N)))");
  CHECK(refused_by(proof).find("own") != std::string::npos);
}

TEST_CASE("what invariants say is held, and no more: `said`, and for copies `lands`") {
  if (!tests::ProofAsker::there()) return;
  const std::string chain = rounds + "collective broadcast\nfor k in 0..N-2: at k + 1: send k -> k + 1\n";
  const std::string late = "invariant after t in 1..N-1: held(1) contains {0}\n";
  CHECK(refused_by(written(chain + late + "invariant after t in 0..N-1: held(1) == {0}\n")) == "said");
  CHECK(refused_by(written(chain + late + "invariant after t in 0..N-1: held(2) == {}\n")) == "said");
  WrittenProof proof = written(chain + late + "invariant after t in 0..N-1: held(1) == if t >= 1 then {0} else {}\n");
  CHECK(refused_by(proof) == "");
}

TEST_CASE("on half-duplex links with single ports nobody sends and receives at one time: `ports`") {
  if (!tests::ProofAsker::there()) return;
  const std::string half = "param N in 3..100\nfabric ring(N, ports: single, duplex: half)\n";
  const WrittenProof chain = written(half + "collective broadcast\nfor k in 0..N-2: at k + 1: send k -> k + 1\n");
  CHECK(reference::faults_at_small_sizes(chain) == "");
  CHECK(refused_by(chain) == "");
  const WrittenProof all = written(half +
                                   "collective allgather\nfor t in 1..N-1: at t: for k in processors:\n"
                                   "  send k -> (k + 1) mod N carrying (k - t + 1 + N) mod N\n");
  CHECK(reference::faults_at_small_sizes(all) != "");
  CHECK(refused_by(all) == "ports");
}

TEST_CASE("packets on binary trees meet at no level: `apart`, and the level at which they turn: `turns`") {
  if (!tests::ProofAsker::there()) return;
  const std::string tree =
      "param L in 1..62\nparam capacity: pattern = constant\n"
      "fabric fat_tree(levels: L, capacity: capacity)\n";
  const WrittenProof scatter =
      written(tree + "collective scatter(root: 0)\nfor d in n-1 downto 1: at n - d: send 0 -> d\n");
  CHECK(reference::faults_at_small_sizes(scatter) == "");
  CHECK(refused_by(scatter) == "");
  WrittenProof forged = scatter;
  forged.proof = replaced(forged.proof, "(turns m1 (bits d))", "(turns m1 (+ 1 (bits d)))");
  CHECK(refused_by(forged).find("turns") != std::string::npos);
  // they come down to the root together from three levels on
  const WrittenProof gather =
      written(tree + "collective gather(root: 0)\nfor d in n-1 downto 1: at n - d: send d -> 0\n");
  CHECK(reference::faults_at_small_sizes(gather) != "");
  CHECK(refused_by(gather) == "apart");
  // in one step from one leaf, on the one lane that it has
  const WrittenProof two =
      written(replaced(tree, "= constant", "= exponential") +
              "collective scatter(root: 0)\nfor d in n-1 downto 1: at (n - d)/2 + 1: send 0 -> d\n");
  CHECK(refused_by(two) == "apart");
}

TEST_CASE("a claim that is left open is listed as not judged, and nothing is asked of it") {
  WrittenProof proof = written(rounds +
                               "collective gather(root: 0)\nfor k in 1..N-1: at k: send k -> 0\n"
                               "claim rounds == N - 1\nclaim rounds == N\n");
  const auto rejected = reference::reread(proof);
  REQUIRE(rejected);
  CHECK(summary(*rejected).claims.size() == 2);
  const std::size_t at = proof.proof.find("(claimed 2");
  REQUIRE(at != std::string::npos);
  proof.proof = proof.proof.substr(0, at) + "(claimed 2 (open)))\n";
  const auto read = reference::reread(proof);
  REQUIRE(read);
  CHECK(summary(*read).claims == std::vector<std::string>{"rounds == N - 1"});
  CHECK(summary(*read).unjudged == std::vector<std::string>{"rounds == N"});
  if (tests::ProofAsker::there()) CHECK(refused_by(proof) == "");
}

}  // namespace
