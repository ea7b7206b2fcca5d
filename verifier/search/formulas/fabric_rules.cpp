// Constraint by constraint, and step by step.
#include "verifier/search/formulas/fabric_rules.h"

#include <initializer_list>
#include <span>

namespace quadrille::searching {

void write_fabric_rules(const Fabric& fabric, std::uint32_t steps, const AppendHops& append_hops, const Orbits* orbits,
                        ClauseSink& sink, int& next, Watch* watch) {
  const bool half = fabric.rules().duplex == Duplex::half;
  const auto has_clauses = [&](ChannelId e) { return orbits == nullptr || orbits->represents_channel(e); };
  std::vector<int> literals;
  const auto at_most = [&](std::uint64_t k, std::uint32_t t, std::initializer_list<ChannelIds> sets) {
    literals.clear();
    for (const auto channels : sets) {
      for (const ChannelId e : channels) append_hops(e, t, literals);
    }
    sink.at_most(k, literals, next);
  };
  // 7. Each channel carries at most its capacity in each step.
  for (std::uint32_t t = 1; t <= steps; ++t) {
    require_open(watch);
    for (ChannelId e{0}; e.value < fabric.channels(); ++e.value) {
      if (has_clauses(e)) at_most(fabric.channel(e).capacity, t, {ChannelIds::consecutive(e.value, 1)});
    }
  }
  // 8. Each half-duplex link that goes both ways carries at most its capacity in both directions together.
  for (std::uint32_t t = 1; half && t <= steps; ++t) {
    require_open(watch);
    for (ChannelId e{0}; e.value < fabric.channels(); ++e.value) {
      const auto back = fabric.reverse(e);
      if (!back || *back < e || (!has_clauses(e) && !has_clauses(*back))) continue;
      at_most(fabric.channel(e).capacity, t,
              {ChannelIds::consecutive(e.value, 1), ChannelIds::consecutive(back->value, 1)});
    }
  }
  if (fabric.rules().ports != Ports::single) return;
  // 9. Each processor with a single port sends one packet and receives one; in half duplex, one in all.
  for (std::uint32_t t = 1; t <= steps; ++t) {
    for (NodeId p{0}; p.value < fabric.processors(); ++p.value) {
      if (orbits != nullptr && !orbits->represents_node(p)) continue;
      at_most(1, t, {fabric.channels_from(p)});
      at_most(1, t, {fabric.channels_to(p)});
      if (half) at_most(1, t, {fabric.channels_from(p), fabric.channels_to(p)});
    }
  }
}

}  // namespace quadrille::searching
