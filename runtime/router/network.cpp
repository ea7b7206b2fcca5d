// Decides which nodes are routers. A processor with one channel out, to a switch, and one in, from a switch, is
// attached to these. Every other processor is a router itself, and so is every switch.
//
//   star:4     one router with 4 processors          ring:4     4 routers with a processor each
//   omega      the processors put messages into the first stage, and get them from the last
//
// Referring needs as many lanes out as in, at every router. Then there also is a path back along every path: a graph
// with as many edges in as out at every node is made of circuits. Cost: linear in the channels.
#include "runtime/router/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace quadrille::routing {
namespace {

constexpr std::uint32_t no_router = std::numeric_limits<std::uint32_t>::max();

bool hangs_on_switches(const Fabric& fabric, NodeId node) {
  const auto out = fabric.channels_from(node);
  const auto in = fabric.channels_to(node);
  return fabric.is_processor(node) && out.size() == 1 && in.size() == 1 &&
         !fabric.is_processor(fabric.channel(out[0]).to) && !fabric.is_processor(fabric.channel(in[0]).from);
}

// The routers' numbers by node; no_router for a processor that is attached to others.
std::vector<std::uint32_t> number_routers(const Fabric& fabric, Network& network) {
  std::vector<std::uint32_t> number(fabric.nodes(), no_router);
  for (NodeId node(0); node.value < fabric.nodes(); ++node.value) {
    if (hangs_on_switches(fabric, node)) continue;
    number[node.value] = network.routers();
    network.nodes.push_back(node);
  }
  return number;
}

void add_wires(const Fabric& fabric, const std::vector<std::uint32_t>& number, Network& network) {
  network.first.push_back(0);
  for (const NodeId node : network.nodes) {
    for (const ChannelId id : fabric.channels_from(node)) {
      const Channel& channel = fabric.channel(id);
      const std::uint32_t to = number[channel.to.value];
      if (to != no_router) network.all_wires.push_back({to, channel.capacity, id});
    }
    network.first.push_back(static_cast<std::uint32_t>(network.all_wires.size()));
  }
}

void add_terminals(const Fabric& fabric, const std::vector<std::uint32_t>& number, Network& network) {
  for (NodeId node(0); node.value < fabric.processors(); ++node.value) {
    if (number[node.value] != no_router) {
      network.terminals.push_back({number[node.value], number[node.value]});
      continue;
    }
    const Channel& in = fabric.channel(fabric.channels_from(node)[0]);
    const Channel& out = fabric.channel(fabric.channels_to(node)[0]);
    network.terminals.push_back({number[in.to.value], number[out.from.value], in.capacity, out.capacity});
  }
}

// Sorts a hypercube's wires in the order of their dimensions.
void find_dimensions(Network& network) {
  const std::uint32_t routers = network.routers();
  if (!std::has_single_bit(routers)) return;
  const auto dimensions = static_cast<std::uint32_t>(std::countr_zero(routers));
  for (std::uint32_t router = 0; router < routers; ++router) {
    const auto wires = network.wires(router);
    if (wires.size() != dimensions) return;  // no wire is there twice
    for (const Wire& wire : wires) {
      if (!std::has_single_bit(wire.to ^ router)) return;
    }
  }
  for (std::uint32_t router = 0; router < routers; ++router) {
    const auto begin = network.all_wires.begin();
    std::sort(begin + network.first[router], begin + network.first[router + 1],
              [router](const Wire& a, const Wire& b) { return (a.to ^ router) < (b.to ^ router); });
  }
  network.dimensions = dimensions;
}

// The first router that has a different number of lanes in than out; nothing if there is none.
struct Uneven {
  std::uint32_t router;
  std::uint64_t in;
  std::uint64_t out;
};
std::optional<Uneven> find_uneven(const Network& network) {
  std::vector<std::uint64_t> in(network.routers(), 0);
  for (const Wire& wire : network.all_wires) in[wire.to] += wire.lanes;
  for (std::uint32_t router = 0; router < network.routers(); ++router) {
    std::uint64_t out = 0;
    for (const Wire& wire : network.wires(router)) out += wire.lanes;
    if (in[router] != out) return Uneven{router, in[router], out};
  }
  return std::nullopt;
}

// The routers, each after those that it leads to. There are fewer than all if wires form a cycle.
std::vector<std::uint32_t> order_upstream(const Network& network) {
  std::vector<std::uint32_t> waits_for(network.routers(), 0);
  std::vector<std::vector<std::uint32_t>> into(network.routers());
  std::vector<std::uint32_t> order;
  for (std::uint32_t router = 0; router < network.routers(); ++router) {
    for (const Wire& wire : network.wires(router)) into[wire.to].push_back(router);
    waits_for[router] = static_cast<std::uint32_t>(network.wires(router).size());
    if (waits_for[router] == 0) order.push_back(router);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const std::uint32_t before : into[order[i]]) {
      if (--waits_for[before] == 0) order.push_back(before);
    }
  }
  return order;
}

}  // namespace

Result<Network> make_network(const Fabric& fabric) {
  Network network;
  const std::vector<std::uint32_t> number = number_routers(fabric, network);
  add_wires(fabric, number, network);
  add_terminals(fabric, number, network);
  find_dimensions(network);
  const auto uneven = find_uneven(network);
  if (!uneven) return network;
  network.refers = false;
  network.downstream_first = order_upstream(network);
  if (network.downstream_first.size() == network.routers()) return network;
  return error_at(
      {},
      fmt::format("{} has {} lanes in from routers and {} out: with all buffers full, a message might find no "
                  "wire; expected as many in as out everywhere, or wires that form no cycle",
                  fabric.name(network.nodes[uneven->router]), uneven->in, uneven->out),
      Code::unsupported);
}

}  // namespace quadrille::routing
