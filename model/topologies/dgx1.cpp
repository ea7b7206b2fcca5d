// NVIDIA DGX-1: 8 GPUs; a channel has a lane for each NVLink of the pair, as `nvidia-smi topo -m` lists them (NV1,
// NV2). PCIe and the processors' own link (SYS) are left out. Each GPU has six links:
//
//    0 == 1     4 == 5         == two links, - one; in each quad every pair is linked, and 0-4, 1-5, 2-6, 3-7
//    | \/ ‖     | \/ ‖         join the quads (0-4 and 2-6 by two links)
//    2 == 3     6 == 7
//
// (Cai et al.: Synthesizing Optimal Collective Algorithms, PPoPP 2021, takes this machine, too.)
#include <algorithm>
#include <array>
#include <tuple>

#include "model/topologies/graph.h"
#include "model/topology_family.h"

namespace quadrille::topologies {
namespace {

struct Link {
  std::uint32_t a;
  std::uint32_t b;
  std::uint32_t capacity;
};

constexpr std::array<Link, 16> links{{{0, 1, 2},
                                      {0, 2, 1},
                                      {0, 3, 1},
                                      {0, 4, 2},
                                      {1, 2, 1},
                                      {1, 3, 2},
                                      {1, 5, 1},
                                      {2, 3, 2},
                                      {2, 6, 2},
                                      {3, 7, 1},
                                      {4, 5, 2},
                                      {4, 6, 1},
                                      {4, 7, 1},
                                      {5, 6, 1},
                                      {5, 7, 2},
                                      {6, 7, 2}}};

std::shared_ptr<const Topology> make_dgx1(FabricArguments&) {
  auto graph = std::make_shared<Graph>();
  graph->processors = 8;
  graph->machine = "dgx1";
  for (const Link& link : links) {
    graph->channels.push_back({NodeId{link.a}, NodeId{link.b}, link.capacity});
    graph->channels.push_back({NodeId{link.b}, NodeId{link.a}, link.capacity});
  }
  return graph;
}

}  // namespace

TopologyFamily dgx1() { return {"dgx1", {}, {}, "NVIDIA DGX-1: 8 GPUs and their NVLinks", "dgx1", make_dgx1}; }

}  // namespace quadrille::topologies
