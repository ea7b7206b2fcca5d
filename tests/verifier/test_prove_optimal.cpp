// Claims that no schedule has less, for every size: what is proved is true, and what is false is not.
#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/fabric_notation.h"
#include "tests/environment.h"
#include "tests/verifier/proofs.h"
#include "verifier/prover/algebra/algebra.h"
#include "verifier/prover/obligations/lower_bounds.h"
#include "verifier/prover/unfold/unfold.h"
#include "verifier/search.h"

namespace quadrille::tests {
namespace {

using prover::Algebra;
using prover::LeastClaim;
using prover::Number;

// A machine and a collective, for the prover and for the search.
struct Setting {
  std::string fabric;      // as the language has it: "ring(5, ports: single)"
  std::string notation;    // as a command line has it: "ring:5,ports=single"
  std::string collective;  // "scatter(root: 0)"
  std::string collective_notation;
};

Fabric fabric_of(const Setting& it) { return parse_fabric({"", it.notation}, 0).value(); }
Collective collective_of(const Setting& it) {
  return parse_collective({"", it.collective_notation}, 0, fabric_of(it).processors()).value();
}

// Whether some bound of the prover says that less than `claimed` is too little.
bool says_at_least(const Setting& it, OptimalMeasure measure, std::uint64_t claimed) {
  const auto schedule =
      compiled("fabric " + it.fabric + "\ncollective " + it.collective + "\nif 0 == 1: send 0 -> 1\n");
  Algebra algebra;
  const auto always = [](const std::vector<prover::Atom>&, prover::Formula) { return true; };
  const Limits none;
  Watch watch(none);
  prover::Unfolder unfolder(algebra, *schedule, {}, always, watch);
  unfolder.run();
  algebra.compare_by_bounds(false);
  try {
    write_optimal(algebra, unfolder.problem(), {measure, Number(static_cast<int>(claimed)), algebra.truth(true)},
                  watch);
    return true;
  } catch (const prover::Unsupported&) {
    return false;
  }
}

// The fewest steps (rounds; volume in `rounds`) that a search finds in a moment.
std::optional<std::uint64_t> found(const Setting& it, std::optional<std::uint32_t> rounds) {
  SearchGoal goal;
  goal.phases = rounds;
  SearchOptions options;
  options.limits = Limits{}.within(std::chrono::duration<double>(brief ? 0.3 : 2.0));
  const SearchResult result = search(fabric_of(it), collective_of(it), goal, options);
  if (!result.table) return std::nullopt;
  return result.steps;
}

const std::vector<std::pair<std::string, std::string>> collectives = {
    {"broadcast(root: 0)", "broadcast:root=0"},
    {"scatter(root: 1)", "scatter:root=1"},
    {"gather(root: 0)", "gather:root=0"},
    {"allgather", "allgather"},
    {"allgather(parts: 2)", "allgather:parts=2"},
    {"total_exchange", "total_exchange"},
    {"reduce(root: 0)", "reduce:root=0"},
    {"reduce_scatter", "reduce_scatter"},
    {"allreduce", "allreduce"},
    {"allreduce(parts: 3)", "allreduce:parts=3"},
    {"prefix", "prefix"},
    {"barrier", "barrier"},
};

// Returns how many of them a bound of the prover meets.
int compare(const std::string& fabric, const std::string& notation, bool rounds) {
  int met = 0;
  for (const auto& each : collectives) {
    const Setting it{fabric, notation, each.first, each.second};
    CAPTURE(it.fabric);
    CAPTURE(it.collective);
    if (const auto fewest = found(it, std::nullopt)) {
      const OptimalMeasure measure = rounds ? OptimalMeasure::rounds : OptimalMeasure::steps;
      CHECK_FALSE(says_at_least(it, measure, *fewest + 1));
      met += says_at_least(it, measure, *fewest) ? 1 : 0;
    }
    if (!rounds) continue;
    if (const auto least = found(it, 6)) {
      CHECK_FALSE(says_at_least(it, OptimalMeasure::volume, *least + 1));
      met += says_at_least(it, OptimalMeasure::volume, *least) ? 1 : 0;
    }
  }
  return met;
}

ProofVerdict verdict_of_claim(const std::string& text, const std::string& claim) {
  const Proof proof = proof_of(text);
  ProofVerdict verdict = ProofVerdict::unknown;
  for (const ProvedObligation& each : proof.obligations) {
    if (each.property == ProvedProperty::claims && each.name == claim) verdict = each.verdict;
    if (each.property == ProvedProperty::claims && each.verdict != ProofVerdict::proved) return each.verdict;
  }
  return verdict;
}

const std::string ring_allgather =
    "collective allgather\n"
    "for t in 1..N-1: at t: for k in processors: send k -> (k + 1) mod N carrying (k - t + 1 + N) mod N\n"
    "invariant after t in 0..N-1: for k in processors: held(k) == {k-t..k} mod N\n";

}  // namespace

TEST_CASE("the farthest processor of a hypercube, and of a torus, is known for every size") {
  const auto on_hypercube = [](const std::string& step) {
    return "param d in 1..12\nfabric hypercube(d)\ncollective broadcast(root: 0)\n"
           "for i in 0..d-1: at " +
           step + ": for k in 0..2^i-1: send k -> k + 2^i\nclaim optimal steps\n";
  };
  CHECK(verdict_of_claim(on_hypercube("i + 1"), "optimal steps") == ProofVerdict::proved);
  CHECK(verdict_of_claim(on_hypercube("i + 2"), "optimal steps") != ProofVerdict::proved);
  const auto on_torus = [](const std::string& step) {
    return "param R in 3..64\nparam C in 3..64\nfabric torus([R, C])\ncollective broadcast(root: 0)\n"
           "for t in 1..C/2: at " +
           step +
           ":\n  send t - 1 -> t\n  if t <= (C - 1)/2: send (C - t + 1) mod C -> C - t\n"
           "then for t in 1..R/2: at t: for c in 0..C-1:\n  send (t - 1)*C + c -> t*C + c\n"
           "  if t <= (R - 1)/2: send (R - t + 1) mod R*C + c -> (R - t)*C + c\nclaim optimal steps\n";
  };
  CHECK(verdict_of_claim(on_torus("t"), "optimal steps") == ProofVerdict::proved);
  CHECK(verdict_of_claim(on_torus("t + 1"), "optimal steps") != ProofVerdict::proved);
}

TEST_CASE("no lower bound for every size is above what a search finds in steps") {
  int met = 0;
  met += compare("ring(5, ports: single)", "ring:5,ports=single", false);
  met += compare("ring(4)", "ring:4", false);
  met += compare("ring(2)", "ring:2", false);
  met += compare("line(4)", "line:4", false);
  met += compare("mesh(2, 3)", "mesh:2x3", false);
  met += compare("torus(2, 3, ports: single)", "torus:2x3,ports=single", false);
  met += compare("complete(4)", "complete:4", false);
  met += compare("complete(5, ports: single)", "complete:5,ports=single", false);
  met += compare("hypercube(3)", "hypercube:3", false);
  met += compare("star(4)", "star:4", false);
  met += compare("fat_tree(levels: 2, capacity: constant)", "fat_tree:levels=2,capacity=constant", false);
  met += compare("fat_tree(levels: 3, capacity: exponential)", "fat_tree:levels=3,capacity=exponential", false);
  met += compare("fat_tree(levels: 1, capacity: constant)", "fat_tree:levels=1,capacity=constant", false);
  met += compare("fat_tree(levels: 2, arity: 4)", "fat_tree:levels=2,arity=4", false);
  MESSAGE("met: " << met);
  CHECK(met >= 60);
}

TEST_CASE("no lower bound for every size is above what a search finds in rounds") {
  int met = 0;
  met += compare("complete(4, ports: single, timing: rounds)", "complete:4,ports=single,timing=rounds", true);
  met += compare("complete(5, ports: single, timing: rounds)", "complete:5,ports=single,timing=rounds", true);
  met += compare("complete(4, timing: rounds)", "complete:4,timing=rounds", true);
  met += compare("ring(4, ports: single, timing: rounds)", "ring:4,ports=single,timing=rounds", true);
  met += compare("line(3, timing: rounds)", "line:3,timing=rounds", true);
  met += compare("star(4, ports: single, timing: rounds)", "star:4,ports=single,timing=rounds", true);
  met += compare("hypercube(2, ports: single, timing: rounds)", "hypercube:2,ports=single,timing=rounds", true);
  MESSAGE("met: " << met);
  CHECK(met >= 60);
}

TEST_CASE("an all-gather round a ring is the least in volume, and in steps with single ports") {
  const std::string rounds = "param N in 2..65536\nfabric complete(N, ports: single, timing: rounds)\n";
  CHECK(verdict_of_claim(rounds + "claim optimal volume\n" + ring_allgather, "optimal volume") == ProofVerdict::proved);
  const std::string steps = "param N in 2..65536\nfabric ring(N, ports: single)\n";
  CHECK(verdict_of_claim(steps + "claim optimal steps\n" + ring_allgather, "optimal steps") == ProofVerdict::proved);
}

TEST_CASE("what is not the least is not proved so") {
  // Bruck's takes ⌈log2 N⌉ rounds; and with several ports a ring has two channels into each processor.
  const std::string rounds = "param N in 2..65536\nfabric complete(N, ports: single, timing: rounds)\n";
  CHECK(verdict_of_claim(rounds + "claim optimal rounds\n" + ring_allgather, "optimal rounds") != ProofVerdict::proved);
  const std::string steps = "param N in 3..65536\nfabric ring(N)\n";
  CHECK(verdict_of_claim(steps + "claim optimal steps\n" + ring_allgather, "optimal steps") != ProofVerdict::proved);
  const std::string wide = "param N in 3..65536\nfabric complete(N, timing: rounds)\n";
  CHECK(verdict_of_claim(wide + "claim optimal volume\n" + ring_allgather, "optimal volume") != ProofVerdict::proved);
}

TEST_CASE("a claim of the least steps holds under its condition only") {
  const std::string scatter =
      "fabric fat_tree(levels: L)\ncollective scatter(root: 0)\nfor d in n - 1 downto 1: at n - d: send 0 -> d\n";
  const std::string param = "param L in 1..62\n";
  const ProofVerdict small =
      verdict_of_claim(param + "claim optimal steps when L >= 2\n" + scatter, "optimal steps when L >= 2");
  const ProofVerdict all = verdict_of_claim(param + "claim optimal steps\n" + scatter, "optimal steps");
  CHECK(small != ProofVerdict::refuted);
  CHECK(all != ProofVerdict::refuted);
}

}  // namespace quadrille::tests
