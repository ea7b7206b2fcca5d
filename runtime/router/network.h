// The routers of a fabric, the wires between them, and the routers that processors are attached to.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "model/fabric.h"
#include "model/text/result.h"

namespace quadrille::routing {

struct Wire {
  std::uint32_t to;  // a router
  std::uint32_t lanes;
  ChannelId channel;
};

// The routers where a processor's messages enter and leave, and how many can do so in a cycle: any number if the
// processor is a router itself.
struct Terminal {
  static constexpr std::uint32_t any = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t in = 0;
  std::uint32_t out = 0;
  std::uint32_t lanes_in = any;
  std::uint32_t lanes_out = any;
};

struct Network {
  std::vector<NodeId> nodes;         // by router
  std::vector<std::uint32_t> first;  // by router, its first wire; and the end
  std::vector<Wire> all_wires;
  std::vector<Terminal> terminals;              // by processor
  std::optional<std::uint32_t> dimensions;      // of a hypercube: wire i of router r leads to r xor 2^i
  bool refers = true;                           // whether every router has as many lanes in as out
  std::vector<std::uint32_t> downstream_first;  // if it does not refer: every router after those that it leads to

  std::uint32_t routers() const { return static_cast<std::uint32_t>(nodes.size()); }
  std::span<const Wire> wires(std::uint32_t router) const {
    return std::span(all_wires).subspan(first[router], first[router + 1] - first[router]);
  }
};

// The network, or the reason why messages cannot be routed there.
Result<Network> make_network(const Fabric& fabric);

}  // namespace quadrille::routing
