// Idea: constraints 1 to 7 of verifier/COMBINING_FORMULA.md, a function each, in the page's order: where packets are,
// and which contributions the partial reductions have that they carry.
//
//   reduce to 0 over the channel 1->0, T = 1. Variables: 1 hop(1->0), 2 hold (0 has 1's contribution), 3 and 4 come
//   (what arrives has 0's; has 1's). Clauses: -1 -3, -1 4, 1 -3, 1 -4 (what comes is what 1 holds), -4 2, 4 -2
//   (joining), 2 (the demand). So 1, 2 and 4 are true, 3 is false
//
// Cost: steps x channels x packets x processors.
#include "verifier/certificate/formulas/partial_reductions.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "verifier/certificate/formulas/packets.h"
#include "verifier/certificate/formulas/rules.h"
#include "verifier/certificate/formulas/writer.h"

namespace quadrille::certificate {
namespace {

// --- variables -----------------------------------------------------------------------------------------------------

// ReductionVariables numbers the formula's variables: "Variables" of verifier/COMBINING_FORMULA.md.
//
// The variables' numbers are part of verifier/COMBINING_FORMULA.md, so that a proof that another program found is about
// the very same formula: first all of each packet, then all of each value at each processor.
//
//   reduce to 0 over the channel 1->0, T = 1: 1 is hop(1->0), 2 hold (0 has 1's contribution), 3 and 4 come (what
//   arrives has 0's; has 1's)
//
// Cost: steps x channels x packets x processors.

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

// Calls `visit` with each node but o and g: at o the packet is what o holds, at g its way ends, so only the nodes
// between have variables.
template <class Visit>
void each_node_between(const Packet& c, const Fabric& fabric, Visit visit) {
  for (std::uint32_t v = 0; v < fabric.nodes(); ++v) {
    if (v != c.o && v != c.g) visit(v);
  }
}

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

// Numbers them, in the page's order. Throws Ended.
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

// --- clauses -------------------------------------------------------------------------------------------------------

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
