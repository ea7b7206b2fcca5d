// The relation of what is held: schedules that were written from outside (tests/verifier/from_outside) are proved
// without a hint; and wrong schedules, which weaker rules would prove, are not.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/environment.h"
#include "tests/verifier/proofs.h"

namespace quadrille::tests {
namespace {

std::string from_outside(const std::string& name) {
  std::ifstream file(std::string(QUADRILLE_SOURCE_FOLDER) + "/tests/verifier/from_outside/" + name + ".qd");
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("schedules from outside are proved without a hint") {
  for (const char* name : few({"allgather_ring_two_directions",
                               "reduce_heap_levels",
                               "allreduce_ring_scatter_gather",
                               "alltoall_one_factor",
                               "reduce_scatter_ring_in_turn",
                               "allgather_torus_rows_then_columns",
                               "reduce_scatter_pairwise_shift",
                               "allgather_ring_in_turn",
                               "broadcast_van_de_geijn_ring",
                               "broadcast_van_de_geijn_doubling",
                               "reduce_pipelined_chain_down",
                               "allgather_line_streams",
                               "alltoall_shift_in_turn",
                               "alltoall_xor_pairs",
                               "broadcast_pipelined_chain_steps",
                               "scatter_fat_tree_farthest_first",
                               "gather_through_leaders",
                               "gather_binomial_any",
                               "broadcast_trinomial",
                               "scan_groups_of_ranks",
                               "scatter_line_farthest_first",
                               "broadcast_heap_segments",
                               "allreduce_recursive_multiplying_4",
                               "reduce_knomial_radix_4",
                               "reduce_scatter_ring_two_halves",
                               "allreduce_ring_opposite_halves",
                               "reduce_scatter_ordered_doubling",
                               "allgather_hypercube_swap_held"})) {
    CAPTURE(name);
    const Proof proof = prove(*compiled(from_outside(name)), {});
    CHECK(proof.verdict == ProofVerdict::proved);
    for (const ProvedObligation& each : proof.obligations)
      CHECK_MESSAGE(each.verdict == ProofVerdict::proved, each.name, ": ", each.meaning, " ", each.why);
  }
}

TEST_CASE("what was written for the relation is proved in each of its styles") {
  const std::string doubling = "param d in 1..12\nfabric complete(2^d, ports: single, timing: rounds)\n";
  for (const std::string& text :
       {// groups of three, whose digits are to the base 3
        std::string("param d in 1..8\nfabric complete(3^d, timing: rounds)\ncollective allreduce\n"
                    "for i in 0..d-1: at i + 1: for k in processors, j in 1..2:\n"
                    "  send k -> k + ((k/3^i + j) mod 3 - k/3^i mod 3)*3^i\n"),
        // up a binomial tree, whose root has no lowest digit
        std::string("param N in 2..512\nfabric complete(N, ports: single, timing: rounds)\n"
                    "collective reduce(root: 0)\nfor i in 0..log2(N-1): at i + 1:\n"
                    "  for k in processors if k mod 2^(i+1) == 2^i: send k -> k - 2^i\n"),
        // a scan, whose origins are below
        std::string("param N in 2..512\nfabric complete(N, ports: single, timing: rounds)\ncollective prefix\n"
                    "for i in 0..log2(N-1) in turn: for k in 0..N-1 if k + 2^i < N: send k -> k + 2^i\n"),
        // carrying all that is held
        doubling + "collective allgather\nfor i in 0..d-1: at i + 1: for k in processors:\n"
                   "  send k -> k xor 2^i carrying held\n",
        // halving: a part is had by ever fewer
        doubling + "collective reduce_scatter\nfor i in 0..d-1: at i + 1: for k in processors:\n"
                   "  let h = 2^(d-1-i)\n  send k -> k xor h carrying part {(k xor h)/h*h + x for x in 0..h-1}\n",
        // two phases on one clock, round a ring
        std::string("param N in 2..256\nfabric ring(N)\ncollective allreduce(parts: N)\n"
                    "for s in 0..2*N-3: at s + 1: for k in processors:\n"
                    "  send k -> (k + 1) mod N carrying part (k - s) mod N\n"),
        // through a switch, two steps for each
        std::string("param N in 2..1024\nfabric star(N)\ncollective allreduce\nfor k in 1..N-1: at k: send k -> 0\n"
                    "then for k in 1..N-1: at k: send 0 -> k\n"),
        // in turn, as a pipeline
        std::string("param N in 2..512\nparam c in 1..256\nfabric line(N, timing: rounds)\n"
                    "collective broadcast(root: 0, parts: c)\nfor t in 0..N+c-3 in turn:\n"
                    "  for k in max(0, t - c + 1)..min(t, N - 2): send k -> k + 1 carrying part t - k\n")}) {
    CAPTURE(text);
    CHECK(proof_of(text).verdict == ProofVerdict::proved);
  }
}

TEST_CASE("messages that carry what is held are as long as the relation says") {
  const auto doubling = [](const std::string& volume) {
    return "param d in 1..12\nfabric complete(2^d, ports: single, timing: rounds)\ncollective allgather\n"
           "for i in 0..d-1: at i + 1: for k in processors: send k -> k xor 2^i carrying held\nclaim volume == " +
           volume + "\n";
  };
  CHECK(proof_of(doubling("2^d - 1")).verdict == ProofVerdict::proved);
  CHECK(proof_of(doubling("2^d - 1 + d/12")).verdict == ProofVerdict::refuted);
  const auto ring = [](const std::string& volume) {
    return "param N in 3..1000\nfabric ring(N, timing: rounds)\ncollective allgather\n"
           "for t in 1..N-1: at t: for k in processors: send k -> (k + 1) mod N carrying held\nclaim volume == " +
           volume + "\n";
  };
  CHECK(proof_of(ring("N*(N - 1)/2")).verdict == ProofVerdict::proved);
  CHECK(proof_of(ring("N - 1")).verdict == ProofVerdict::refuted);
}

TEST_CASE("wrong schedules that weaker rules would prove are not proved") {
  const std::vector<std::string> holes = {
      // one send, twice: what comes at once is not disjoint from itself
      "fabric complete(2, capacity: 2)\ncollective reduce(root: 1)\nfor i in 0..1: at 1: send 0 -> 1\n",
      // a superset that does not come alone: the smaller joins first
      "fabric complete(3)\ncollective reduce(root: 1)\nat 1: send 1 -> 2\nat 2: send 0 -> 1\nat 2: send 2 -> 1\n",
      // a turn that takes no time where nothing is sent in it
      "fabric complete(3, timing: rounds)\ncollective broadcast\nat 5: for k in 2..1: send 0 -> k\n"
      "then send 0 -> 1\nthen send 2 -> 0\n",
      // sent in the step in which it comes
      "param N in 3..100\nfabric ring(N)\ncollective broadcast\nfor k in 0..N-2: at max(k, 1): send k -> k + 1\n",
      // what is passed on is not yet all that is to come
      "param d in 2..10\nfabric complete(2^d, timing: rounds)\ncollective reduce(root: 0)\n"
      "for i in 0..d-1: at d - i: for k in processors if k mod 2^(i+1) == 2^i: send k -> k - 2^i\n",
      // an order with gaps
      "param d in 2..10\nfabric complete(2^d, timing: rounds)\ncollective allreduce(operation: ordered)\n"
      "for i in 0..d-1: at i + 1: for k in processors: send k -> k xor 2^(d - 1 - i)\n",
      // a packet that does not exist
      "param N in 3..200\nfabric ring(N)\ncollective allgather\nfor t in 1..N-1: at t: for k in processors:\n"
      "  send k -> (k + 1) mod N carrying (k - t + 1) mod N\nat N: send 0 -> 1 carrying N\n",
      "param N in 3..200\nfabric complete(N)\ncollective allgather\nfor t in 1..N-1: at t: for k in processors:\n"
      "  send k -> (k + t) mod N\nat N: send 0 -> 1 carrying 0 - 1\n",
      // all but the last
      "param N in 3..200\nfabric ring(N)\ncollective allgather\nfor t in 1..N-2: at t: for k in processors:\n"
      "  send k -> (k + 1) mod N carrying (k - t + 1) mod N\n"};
  for (const std::string& text : holes) {
    CAPTURE(text);
    CHECK(prove(*compiled(text), {}).verdict != ProofVerdict::proved);
  }
}

TEST_CASE("a maximum may come more than once") {
  const std::string text =
      "param N in 3..200\nfabric ring(N, timing: rounds)\ncollective allreduce(operation: idempotent)\n"
      "for t in 1..N-1: at t: for k in processors: send k -> (k + 1) mod N\n";
  CHECK(proof_of(text).verdict == ProofVerdict::proved);
  std::string counted = text;
  counted.replace(counted.find("(operation: idempotent)"), std::string("(operation: idempotent)").size(), "");
  CHECK(prove(*compiled(counted), {}).verdict != ProofVerdict::proved);
}

}  // namespace
}  // namespace quadrille::tests
