// The variables of the formula over partial reductions: "Variables" of verifier/COMBINING_FORMULA.md.
#pragma once

#include <cstdint>
#include <vector>

#include "verifier/certificate/formulas/packets.h"
#include "verifier/certificate/formulas/writer.h"

namespace quadrille::certificate {

// A packet, and its variables.
struct MovingPacket : Packet {
  std::vector<Series> hop;                 // by channel
  std::vector<Series> at, stay;            // by node
  std::vector<std::vector<Series>> carry;  // by node and contribution
};

// An arrival, and its variables.
struct Coming : ChannelArrival {
  std::vector<Series> come;  // by contribution
};

// The partial reduction of value x at processor p, and its variables.
struct HeldReduction {
  std::uint32_t x = 0;
  std::uint32_t p = 0;
  std::int64_t last = 0;     // step of its variables: T - r(x, p)
  std::vector<Series> hold;  // by contribution
  std::vector<Coming> arrivals;
};

struct ReductionVariables {
  std::vector<MovingPacket> moving;  // as in Packets::of_use()
  std::vector<HeldReduction> held;   // [x · n + p]
};

// Numbers them, in the page's order. Throws Ended.
ReductionVariables number_reductions(const Fabric& fabric, const Collective& collective, std::uint32_t T,
                                     const Packets& packets, Writer& writer);

// Calls `visit` with each node but o and g: at o the packet is what o holds, at g its way ends, so only the nodes
// between have variables.
template <class Visit>
void each_node_between(const Packet& c, const Fabric& fabric, Visit visit) {
  for (std::uint32_t v = 0; v < fabric.nodes(); ++v) {
    if (v != c.o && v != c.g) visit(v);
  }
}

}  // namespace quadrille::certificate
