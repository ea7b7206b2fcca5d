// Idea: constraints 1 to 7 of verifier/COMBINING_FORMULA.md, a function each, in the page's order: where packets are,
// and which contributions the partial reductions have that they carry.
//
//   reduce to 0 over the channel 1->0, T = 1. Variables: 1 hop(1->0), 2 hold (0 has 1's contribution), 3 and 4 come
//   (what arrives has 0's; has 1's). Clauses: -1 -3, -1 4, 1 -3, 1 -4 (what comes is what 1 holds), -4 2, 4 -2
//   (joining), 2 (the demand). So 1, 2 and 4 are true, 3 is false
//
// Cost: steps x channels x packets x processors.
#include "verifier/certificate/formulas/partial_reductions.h"

#include <utility>
#include <vector>

#include "verifier/certificate/formulas/packets.h"
#include "verifier/certificate/formulas/reduction_variables.h"
#include "verifier/certificate/formulas/rules.h"

namespace quadrille::certificate {
namespace {

class Formula {
 public:
  Formula(const Fabric& fabric, const Collective& collective, std::uint32_t T, const ReductionVariables& variables,
          Writer& writer)
      : fabric_(fabric),
        collective_(collective),
        n_(fabric.processors()),
        T_(T),
        moving_(variables.moving),
        held_(variables.held),
        writer_(writer) {}

  void write() {
    what_leaves_was_there();
    what_is_there_came_or_stayed();
    what_comes_is_what_a_packet_carries();
    joining();
    if (!collective_.idempotent()) order_of_joins();
    demands();
    write_rules(fabric_, T_, traffic(), writer_);
  }

 private:
  // Calls `visit` with each step from 1 to `last`.
  template <class Visit>
  void each_step(std::int64_t last, Visit visit) const {
    for (std::uint32_t t = 1; t <= last && !writer_.stopped(); ++t) {
      writer_.work().spend(1);
      visit(t);
    }
  }

  static std::int32_t hold(const HeldReduction& held, std::uint32_t t, std::uint32_t k) {
    return k == held.p ? true_literal : held.hold[k].at(t);
  }

  static std::int32_t carry(const MovingPacket& c, std::uint32_t v, std::uint32_t t, std::uint32_t k) {
    return k == c.o ? true_literal : c.carry[v][k].at(t);
  }

  // leave(c, u, t, k) of the page: the partial reduction of c that leaves u in step t + 1
  std::int32_t leave(const MovingPacket& c, std::uint32_t u, std::uint32_t t, std::uint32_t k) const {
    return u == c.o ? hold(held_[std::size_t{c.x} * n_ + c.o], t, k) : carry(c, u, t, k);
  }

  // 1
  void what_leaves_was_there() {
    for (const MovingPacket& c : moving_) {
      for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
        const std::uint32_t u = fabric_.channel(ChannelId(e)).from.value;
        const std::uint32_t v = fabric_.channel(ChannelId(e)).to.value;
        each_step(T_, [&](std::uint32_t t) {
          const std::int32_t hop = c.hop[e].at(t);
          if (hop == false_literal) return;
          if (u != c.o) writer_.clause({-hop, c.at[u].at(t - 1)});
          if (v == c.g) return;
          for (std::uint32_t k = 0; k < n_; ++k) writer_.same_if(hop, leave(c, u, t - 1, k), carry(c, v, t, k));
        });
      }
    }
  }

  // 2
  void what_is_there_came_or_stayed() {
    for (const MovingPacket& c : moving_) {
      each_node_between(c, fabric_, [&](std::uint32_t v) {
        each_step(T_, [&](std::uint32_t t) {
          const std::int32_t at = c.at[v].at(t);
          if (at == false_literal) return;
          const std::int32_t stay = c.stay[v].at(t);
          Literals hops;
          for (const ChannelId e : fabric_.channels_to(NodeId(v))) hops.push_back(c.hop[e.value].at(t));
          writer_.at_most(1, hops);
          Literals reasons = hops;
          reasons.insert(reasons.end(), {-at, stay});
          writer_.clause(std::move(reasons));
          writer_.clause({-stay, c.at[v].at(t - 1)});
          for (const std::int32_t hop : hops) writer_.clause({-stay, -hop});
          for (std::uint32_t k = 0; k < n_; ++k) writer_.same_if(stay, carry(c, v, t - 1, k), carry(c, v, t, k));
        });
      });
    }
  }

  // 3
  void what_comes_is_what_a_packet_carries() {
    for (const HeldReduction& held : held_) {
      each_step(T_, [&](std::uint32_t t) {
        for (const Coming& a : held.arrivals) {
          Literals hops;
          for (const std::size_t packet : a.packets) {
            const MovingPacket& c = moving_[packet];
            const std::int32_t hop = c.hop[a.e.value].at(t);
            hops.push_back(hop);
            for (std::uint32_t k = 0; k < n_; ++k) {
              writer_.same_if(hop, leave(c, fabric_.channel(a.e).from.value, t - 1, k), a.come[k].at(t));
            }
          }
          for (std::uint32_t k = 0; k < n_; ++k) {
            Literals reasons = hops;
            reasons.push_back(-a.come[k].at(t));
            writer_.clause(std::move(reasons));
          }
        }
      });
    }
  }

  // 4
  void joining() {
    for (const HeldReduction& held : held_) {
      each_step(held.last, [&](std::uint32_t t) {
        for (std::uint32_t k = 0; k < n_; ++k) joining(held, t, k);
      });
    }
  }

  void joining(const HeldReduction& held, std::uint32_t t, std::uint32_t k) {
    const std::uint32_t p = held.p;
    const std::int32_t before = hold(held, t - 1, k);
    const std::int32_t after = hold(held, t, k);
    Literals comes;
    for (const Coming& a : held.arrivals) comes.push_back(a.come[k].at(t));

    writer_.clause({-before, after});
    for (const std::int32_t come : comes) writer_.clause({-come, after});
    Literals reasons = comes;
    reasons.insert(reasons.end(), {-after, before});
    writer_.clause(std::move(reasons));

    if (collective_.idempotent()) return;
    writer_.at_most(1, comes);
    if (k == p) return;
    for (const Coming& a : held.arrivals) {
      writer_.clause({-a.come[k].at(t), -before, a.come[p].at(t)});
      writer_.clause({-a.come[p].at(t), -before, a.come[k].at(t)});
    }
    if (collective_.ordered()) writer_.clause({-after, hold(held, t, k < p ? k + 1 : k - 1)});
  }

  // 5
  void order_of_joins() {
    for (const HeldReduction& held : held_) {
      each_step(held.last, [&](std::uint32_t t) {
        for (const Coming& a : held.arrivals) {
          if (!a.come[held.p].has(t)) continue;
          for (const Coming& b : held.arrivals) {
            if (&a != &b) joined_first(a, b, held.p, t);
          }
        }
      });
    }
  }

  void joined_first(const Coming& a, const Coming& b, std::uint32_t p, std::uint32_t t) {
    Literals smaller;
    for (std::uint32_t k = 0; k < p; ++k) {
      Literals literals = smaller;
      literals.insert(literals.end(), {-a.come[p].at(t), -b.come[k].at(t)});
      writer_.clause(std::move(literals));
      smaller.push_back(a.come[k].at(t));
    }
  }

  // 6
  void demands() {
    for (std::uint64_t i = 0; i < collective_.demands(); ++i) {
      const auto [value, p] = collective_.demand_at(i);
      const auto x = static_cast<std::uint32_t>(value.value);
      const auto wanted = collective_.wanted_contributions(x, p);
      for (std::uint32_t k = wanted->first; k <= wanted->second; ++k) {
        writer_.clause({hold(held_[std::size_t{x} * n_ + p.value], T_, k)});
      }
    }
  }

  // 7
  TrafficLiterals traffic() const {
    return {[this](ChannelId e, std::uint32_t t) {
              Literals literals;
              writer_.work().spend(moving_.size());
              for (const MovingPacket& c : moving_) literals.push_back(c.hop[e.value].at(t));
              return literals;
            },
            [this](std::uint32_t v, std::uint32_t t) {
              Literals literals;
              writer_.work().spend(moving_.size());
              for (const MovingPacket& c : moving_) literals.push_back(c.stay[v].at(t));
              return literals;
            }};
  }

  const Fabric& fabric_;
  const Collective& collective_;
  std::uint32_t n_;
  std::uint32_t T_;
  const std::vector<MovingPacket>& moving_;
  const std::vector<HeldReduction>& held_;  // [x · n + p]
  Writer& writer_;
};

}  // namespace

bool write_partial_reductions(const Fabric& fabric, const Collective& collective, std::uint32_t T, Writer& writer) {
  const auto packets = Packets::find(fabric, collective, T, writer.work());
  if (!packets) return false;
  const ReductionVariables variables = number_reductions(fabric, collective, T, *packets, writer);
  Formula(fabric, collective, T, variables, writer).write();
  return true;
}

}  // namespace quadrille::certificate
