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
      {"rounds_pairwise", "param N in 2..1000000\nfabric complete(N, ports: single, timing: rounds)\n" + shifted +
                              "claim rounds == n - 1\nclaim volume == n - 1\nclaim hops == n - 1\n"},
      {"rounds_at_once",
       "param N in 2..1000000\nfabric complete(N, timing: rounds)\ncollective allgather\n"
       "for k in processors: send k -> all carrying k\n"
       "claim rounds == 1\nclaim volume == 1\nclaim messages == n*(n - 1)\n"},
      {"rounds_of_parts",
       "param N in 2..1000000\nparam P in 1..1000\nparam root in 0..N-1\n"
       "fabric complete(N, ports: single, timing: rounds)\ncollective broadcast(root: root, parts: P)\n"
       "for d in 1..n-1: at d: send root -> (root + d) mod n carrying root -> * part {0..P-1}\n"
       "claim rounds == n - 1\nclaim volume == P*(n - 1)\n"},
      {"rounds_growing",
       "param N in 2..1000000\nfabric complete(N, ports: single, timing: rounds)\n"
       "collective allgather(parts: n)\nfor d in 1..n-1: at n*(d - 1) + 1:\n"
       "  for k in processors, p in 0..n-1: at p + 1: send k -> (k + d) mod n carrying k -> * part p\n"
       "claim rounds == n*(n - 1)\n"},
      {"rounds_of_a_ring",
       "param N in 2..1000000\nfabric ring(N, timing: rounds)\ncollective allgather\n"
       "for t in 1..n-1, i in processors: at t: send i -> (i + 1) mod n carrying (i + n - (t - 1)) mod n\n"
       "claim rounds == n - 1\nclaim volume == n - 1\nclaim hops == n - 1\n"},
      {"rounds_of_a_line", "param N in 2..1000000\nfabric line(N, ports: single, timing: rounds)\n" + farthest_first +
                               "claim rounds == n - 1\nclaim volume == n - 1\nclaim hops == n*(n - 1)/2\n"},
      {"rounds_of_a_star", "param N in 2..1000000\nfabric star(N, ports: single, timing: rounds)\n" + shifted +
                               "claim rounds == n - 1\nclaim hops == 2*(n - 1)\n"},
      {"rounds_of_a_torus", "param A in 2..1000\nparam B in 2..1000\nfabric torus(A, B, timing: rounds)\n" +
                                row_by_row.substr(0, row_by_row.find("claim")) + "claim rounds == n - 1\n"},
      {"rounds_shared",
       "param N in 2..1000000\nfabric ring(N, timing: rounds, paths: shared)\n"
       "collective total_exchange\nfor k in processors, l in 1..n-1: send k -> (k + l) mod n\n"
       "claim rounds == 1\n"},
      {"half_duplex_line", "param N in 2..1000000\nfabric line(N, duplex: half)\n" + farthest_first},
      {"half_duplex_torus", "param A in 2..1000\nparam B in 2..1000\nfabric torus(A, B, duplex: half)\n" + row_by_row},
      {"half_duplex_complete",
       "param N in {2*i + 1 for i in 1..1000000}\nfabric complete(N, duplex: half)\n" + shifted},
      {"half_duplex_tree",
       "param L in 1..20\nfabric fat_tree(levels: L, capacity: constant, duplex: half)\n" + farthest_first},
      {"half_duplex_rounds",
       "param N in 2..1000000\nfabric ring(2*N, ports: single, duplex: half, timing: rounds)\ncollective allgather\n"
       "for t in 0..n-2, i in processors:\n"
       "  at 2*t + 1 + i mod 2: send i -> (i + 1) mod n carrying (i + n - t) mod n\n"
       "claim rounds == 2*(n - 1)\n"},
      {"half_duplex_rounds_of_a_star",
       "param N in 2..1000000\nfabric star(N, duplex: half, timing: rounds)\n" + farthest_first},
      {"quaternary_tree_scatter", "param L in 1..15\nfabric fat_tree(levels: L, arity: 4)\n" + farthest_first},
  };
}

}  // namespace

const std::vector<MachineSchedule>& machine_schedules() {
  static const std::vector<MachineSchedule> all = all_schedules();
  return all;
}

}  // namespace quadrille::reference
