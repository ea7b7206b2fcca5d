// The variables' numbers are part of verifier/COMBINING_FORMULA.md, so that a proof that another program found is about
// the very same formula: first all of each packet, then all of each value at each processor.
//
//   reduce to 0 over the channel 1->0, T = 1: 1 is hop(1->0), 2 hold (0 has 1's contribution), 3 and 4 come (what
//   arrives has 0's; has 1's)
//
// Cost: steps x channels x packets x processors.
#include "verifier/certificate/formulas/reduction_variables.h"

#include <algorithm>
#include <utility>

namespace quadrille::certificate {
namespace {

class ReductionNumbers {
 public:
  ReductionNumbers(const Fabric& fabric, std::uint32_t T, const Packets& packets, Writer& writer)
      : fabric_(fabric), n_(fabric.processors()), T_(T), packets_(packets), writer_(writer) {}

  // 1 and 2
  MovingPacket of_packet(const Packet& packet) {
    // A hop for each channel; for each node two series, and one for each contribution.
    const std::uint64_t each_node = 2 * sizeof(Series) + sizeof(std::vector<Series>) + n_ * sizeof(Series);
    writer_.work().take(1, sizeof(MovingPacket) + fabric_.channels() * sizeof(Series) + fabric_.nodes() * each_node);
    MovingPacket c{packet, std::vector<Series>(fabric_.channels()), {}, {}, {}};
    const auto last_at = [&](std::uint32_t v) { return std::int64_t{T_} - packets_.d(v, c.g) - packets_.r(c.x, c.g); };
    for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
      const Channel& channel = fabric_.channel(ChannelId(e));
      if (!packets_.can_cross(c, ChannelId(e))) continue;
      c.hop[e] = writer_.series(packets_.d(c.o, channel.from.value) + 1, last_at(channel.to.value));
    }
    c.at.resize(fabric_.nodes());
    c.stay.resize(fabric_.nodes());
    c.carry.resize(fabric_.nodes(), std::vector<Series>(n_));
    const bool switches_hold = fabric_.rules().queue.limit != 0U;
    each_node_between(c, fabric_, [&](std::uint32_t v) {
      const std::int64_t first = packets_.d(c.o, v);
      c.at[v] = writer_.series(first, last_at(v));
      if (fabric_.is_processor(NodeId(v)) || switches_hold) c.stay[v] = writer_.series(first + 1, last_at(v));
      for (std::uint32_t k = 0; k < n_; ++k) {
        if (k == c.o || !packets_.may_hold(c.x, c.o, k) || !packets_.may_hold(c.x, c.g, k)) continue;
        c.carry[v][k] = writer_.series(first + packets_.d(k, c.o), last_at(v));
      }
    });
    return c;
  }

  // 3 and 4
  HeldReduction of_processor(std::uint32_t x, std::uint32_t p) {
    HeldReduction held{x, p, std::int64_t{T_} - packets_.r(x, p), std::vector<Series>(n_), {}};
    for (std::uint32_t k = 0; k < n_; ++k) {
      if (k != p && packets_.may_hold(x, p, k)) held.hold[k] = writer_.series(packets_.d(k, p), held.last);
    }
    for (ChannelArrival& arrival : packets_.arrivals(x, p)) {
      writer_.work().take(1, sizeof(Coming) + n_ * sizeof(Series) + arrival.packets.size() * sizeof(std::size_t));
      Coming a{std::move(arrival), std::vector<Series>(n_)};
      for (std::uint32_t k = 0; k < n_; ++k) {
        if (!packets_.may_hold(x, p, k)) continue;
        a.come[k] = writer_.series(std::max<std::int64_t>(1, packets_.d(k, p)), held.last);
      }
      held.arrivals.push_back(std::move(a));
    }
    return held;
  }

 private:
  const Fabric& fabric_;
  std::uint32_t n_;
  std::uint32_t T_;
  const Packets& packets_;
  Writer& writer_;
};

}  // namespace

ReductionVariables number_reductions(const Fabric& fabric, const Collective& collective, std::uint32_t T,
                                     const Packets& packets, Writer& writer) {
  ReductionNumbers numbers(fabric, T, packets, writer);
  ReductionVariables variables;
  for (const Packet& packet : packets.of_use()) variables.moving.push_back(numbers.of_packet(packet));
  for (std::uint32_t x = 0; x < collective.values(); ++x) {
    for (std::uint32_t p = 0; p < fabric.processors(); ++p) variables.held.push_back(numbers.of_processor(x, p));
  }
  return variables;
}

}  // namespace quadrille::certificate
