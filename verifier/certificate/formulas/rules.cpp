// Constraints 7 to 10 of verifier/FORMULA.md, in their order: capacities, half duplex, single port, queues. They are
// apart since both formulas have them, over chunks or over packets.
//
//   chunks a and b, channel e of capacity 1: at most 1 of hop(a, e, t) and hop(b, e, t) for each t, so -hop or -hop
#include "verifier/certificate/formulas/rules.h"

namespace quadrille::certificate {
namespace {

void append(Literals& literals, const Literals& more) { literals.insert(literals.end(), more.begin(), more.end()); }

// 7
void capacities(const Fabric& fabric, std::uint32_t T, const TrafficLiterals& traffic, Writer& writer) {
  for (std::uint32_t t = 1; t <= T; ++t) {
    for (std::uint32_t e = 0; e < fabric.channels() && !writer.stopped(); ++e) {
      writer.at_most(fabric.channel(ChannelId(e)).capacity, traffic.crosses(ChannelId(e), t));
    }
  }
}

// 8
void half_duplex(const Fabric& fabric, std::uint32_t T, const TrafficLiterals& traffic, Writer& writer) {
  if (fabric.rules().duplex != Duplex::half) return;
  for (std::uint32_t t = 1; t <= T; ++t) {
    for (std::uint32_t e = 0; e < fabric.channels() && !writer.stopped(); ++e) {
      const auto reverse = fabric.reverse(ChannelId(e));
      if (!reverse || reverse->value < e) continue;
      Literals both = traffic.crosses(ChannelId(e), t);
      append(both, traffic.crosses(*reverse, t));
      writer.at_most(fabric.channel(ChannelId(e)).capacity, both);
    }
  }
}

// 9
void single_port(const Fabric& fabric, std::uint32_t T, const TrafficLiterals& traffic, Writer& writer) {
  if (fabric.rules().ports != Ports::single) return;
  for (std::uint32_t t = 1; t <= T; ++t) {
    for (std::uint32_t p = 0; p < fabric.processors() && !writer.stopped(); ++p) {
      Literals out;
      Literals in;
      for (const ChannelId e : fabric.channels_from(NodeId(p))) append(out, traffic.crosses(e, t));
      for (const ChannelId e : fabric.channels_to(NodeId(p))) append(in, traffic.crosses(e, t));
      writer.at_most(1, out);
      writer.at_most(1, in);
      if (fabric.rules().duplex != Duplex::half) continue;
      append(out, in);
      writer.at_most(1, out);
    }
  }
}

// 10
void queues(const Fabric& fabric, std::uint32_t T, const TrafficLiterals& traffic, Writer& writer) {
  const auto limit = fabric.rules().queue.limit;
  if (!limit || *limit == 0) return;
  for (std::uint32_t t = 1; t <= T; ++t) {
    for (std::uint32_t v = fabric.processors(); v < fabric.nodes() && !writer.stopped(); ++v) {
      writer.at_most(*limit, traffic.held(v, t));
    }
  }
}

}  // namespace

void write_rules(const Fabric& fabric, std::uint32_t T, const TrafficLiterals& traffic, Writer& writer) {
  capacities(fabric, T, traffic, writer);
  half_duplex(fabric, T, traffic, writer);
  single_port(fabric, T, traffic, writer);
  queues(fabric, T, traffic, writer);
}

}  // namespace quadrille::certificate
