#include "tests/reference/machine_schedules.h"

namespace quadrille::reference {
namespace {

std::vector<MachineSchedule> all_schedules() {
  const std::string shifted =
      "collective total_exchange\n"
      "for l in 1..n-1, k in processors: at l: send k -> (k + l) mod n\n";
  const std::string farthest_first = "collective scatter(root: 0)\nfor d in 1..n-1: at n - d: send 0 -> d\n";
  const std::string row_by_row =
      "collective scatter(root: 0)\n"
      "for y in 1..B-1: at n - y: send 0 -> y\n"
      "for x in 1..A-1, y in 0..B-1: at n - (x*B + y): send 0 -> x*B + y\n"
      "claim steps == n - 1\n";
  return {
      {"complete_total_exchange", "param N in 2..1000000\nfabric complete(N)\n" + shifted + "claim steps == n - 1\n"},
      {"complete_single_port",
       "param L in 1..20\nfabric complete(2^L, ports: single)\ncollective total_exchange\n"
       "for l in 1..n-1, k in processors: at l: send k -> k xor l\nclaim steps == n - 1\n"},
      {"star_total_exchange", "param N in 2..1000000\nfabric star(N)\n" + shifted + "claim steps == n\n"},
      {"line_scatter", "param N in 2..1000000\nfabric line(N)\n" + farthest_first + "claim steps == n - 1\n"},
      {"line_gather",
       "param N in 2..1000000\nfabric line(N)\ncollective gather(root: 0)\nfor k in 1..n-1: at k: send k -> 0\n"
       "claim steps == 2*n - 3\n"},
      {"ring_scatter", "param N in 2..1000000\nfabric ring(N)\n" + farthest_first + "claim steps == n - 1\n"},
      {"mesh_scatter", "param A in 2..1000\nparam B in 2..1000\nfabric mesh(A, B)\n" + row_by_row},
      {"torus_scatter", "param A in 2..1000\nparam B in 2..1000\nfabric torus(A, B)\n" + row_by_row},
      // Along a cycle through all processors, in the order of the Gray code.
      {"hypercube_allgather",
       "param L in 1..20\nfabric hypercube(L)\ncollective allgather\nlet gray(i) = i xor (i / 2)\n"
       "for t in 1..n-1, i in processors:\n"
       "  at t: send gray(i) -> gray((i + 1) mod n) carrying gray((i + n - (t - 1)) mod n)\n"
       "claim steps == n - 1\n"},
      {"quaternary_tree_scatter", "param L in 1..15\nfabric fat_tree(levels: L, arity: 4)\n" + farthest_first},
  };
}

}  // namespace

const std::vector<MachineSchedule>& machine_schedules() {
  static const std::vector<MachineSchedule> all = all_schedules();
  return all;
}

}  // namespace quadrille::reference
