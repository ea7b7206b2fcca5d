// Constraints 7 to 10 of verifier/FORMULA.md: the fabric's rules. Each is an "at most" over the hops of a step.
//
//   a channel of capacity 1 that three chunks may cross: at most 1 of their three hops, for each step
//
// Cost: steps x channels x chunks, and the counters.
#include "verifier/search/formulas/formula.h"

namespace quadrille::searching {

void ChunkFormula::append_hops(ChannelId channel, std::uint32_t step, std::vector<int>& literals) const {
  for (const auto& [chunk, crossing] : users_[channel.value]) {
    if (const int hop = hops_[chunk][crossing].at(step)) literals.push_back(hop);
  }
}

// 7. Each channel carries at most its capacity in each step.
void ChunkFormula::capacities(ClauseSink& sink) {
  std::vector<int> literals;
  for (std::uint32_t t = 1; t <= steps_; ++t) {
    require_open(watch_);
    for (std::uint32_t id = 0; id < question_.fabric.channels(); ++id) {
      if (!orbits_.represents_channel(ChannelId{id})) continue;
      literals.clear();
      append_hops(ChannelId{id}, t, literals);
      sink.at_most(question_.fabric.channel(ChannelId{id}).capacity, literals, next_);
    }
  }
}

// 8. Each half-duplex link that goes both ways carries at most its capacity in both directions together.
void ChunkFormula::half_duplex(ClauseSink& sink) {
  if (question_.fabric.rules().duplex != Duplex::half) return;
  std::vector<int> literals;
  for (std::uint32_t t = 1; t <= steps_; ++t) {
    require_open(watch_);
    for (std::uint32_t id = 0; id < question_.fabric.channels(); ++id) {
      const auto reverse = question_.fabric.reverse(ChannelId{id});
      if (!reverse || reverse->value < id) continue;
      if (!orbits_.represents_channel(ChannelId{id}) && !orbits_.represents_channel(*reverse)) continue;
      literals.clear();
      append_hops(ChannelId{id}, t, literals);
      append_hops(*reverse, t, literals);
      sink.at_most(question_.fabric.channel(ChannelId{id}).capacity, literals, next_);
    }
  }
}

// 9. Each processor with a single port sends one packet and receives one; in half duplex, one in all.
void ChunkFormula::single_ports(ClauseSink& sink) {
  const Rules& rules = question_.fabric.rules();
  if (rules.ports != Ports::single) return;
  for (std::uint32_t t = 1; t <= steps_; ++t) {
    for (std::uint32_t p = 0; p < question_.fabric.processors(); ++p) {
      if (!orbits_.represents_node(NodeId{p})) continue;
      std::vector<int> out;
      std::vector<int> in;
      for (const ChannelId id : question_.fabric.channels_from(NodeId{p})) append_hops(id, t, out);
      for (const ChannelId id : question_.fabric.channels_to(NodeId{p})) append_hops(id, t, in);
      sink.at_most(1, out, next_);
      sink.at_most(1, in, next_);
      if (rules.duplex != Duplex::half) continue;
      out.insert(out.end(), in.begin(), in.end());
      sink.at_most(1, out, next_);
    }
  }
}

// 10. Each switch buffers at most as many packets as the queue limit allows.
void ChunkFormula::queues(ClauseSink& sink) {
  const auto& limit = question_.fabric.rules().queue.limit;
  if (!limit || *limit == 0) return;
  std::vector<std::vector<User>> at_switch(question_.fabric.nodes());
  for (std::size_t m = 0; m < moves_.size(); ++m) {
    require_open(watch_);
    for (std::size_t p = 0; p < moves_[m].places.size(); ++p) {
      if (is_switch(m, p)) at_switch[moves_[m].places[p].node.value].push_back({m, p});
    }
  }
  std::vector<int> literals;
  for (std::uint32_t t = 1; t <= steps_; ++t) {
    for (std::uint32_t v = question_.fabric.processors(); v < question_.fabric.nodes(); ++v) {
      if (!orbits_.represents_node(NodeId{v})) continue;
      literals.clear();
      for (const auto& [chunk, place] : at_switch[v]) {
        if (const int held = held_[chunk][place].at(t)) literals.push_back(held);
      }
      sink.at_most(*limit, literals, next_);
    }
  }
}

}  // namespace quadrille::searching
