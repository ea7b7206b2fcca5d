#include "tests/verifier/every_combining_schedule.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace quadrille::tests {
namespace {

using Contributions = unsigned char;  // a set of contributions
// Between two steps: the partial reduction of every (value, processor), then that which each packet last brought to
// every node, 0 if none that may leave still.
using State = std::string;

class Everything {
 public:
  Everything(const Fabric& fabric, const Collective& collective, std::uint64_t most_work)
      : fabric_(fabric), collective_(collective), work_left_(most_work) {
    for (std::uint64_t id = 0; id < collective.chunk_ids(); ++id) {
      if (collective.has(ChunkId(id))) packets_.emplace_back(id);
    }
  }

  std::optional<bool> search(std::uint32_t steps) {
    std::set<State> states{beginning()};
    if (done(*states.begin())) return true;
    for (std::uint32_t t = 1; t <= steps; ++t) {
      last_ = t == steps;
      std::set<State> after;
      for (const State& state : states) {
        std::vector<Hop> hops;
        choose(state, 0, 0, 0, hops, after);
        if (success_) return true;
        if (work_left_ == 0) return std::nullopt;
      }
      states = std::move(after);
    }
    return false;
  }

 private:
  struct Hop {
    ChannelId channel;
    std::size_t packet;
    Contributions set;
  };

  std::size_t held(std::uint32_t value, std::uint32_t processor) const {
    return std::size_t{value} * fabric_.processors() + processor;
  }
  std::size_t brought(std::size_t packet, NodeId node) const {
    return std::size_t{collective_.values()} * fabric_.processors() + packet * fabric_.nodes() + node.value;
  }

  // Whether partial reductions for one target join there. They are kept under the number of the first such packet.
  bool reduces(NodeId node) const { return fabric_.switches_reduce() && !fabric_.is_processor(node); }
  std::size_t joined(std::size_t packet) const {
    const ChunkName name = collective_.name(packets_[packet]);
    for (std::size_t first = 0;; ++first) {
      const ChunkName other = collective_.name(packets_[first]);
      if (other.target == name.target && other.part == name.part) return first;
    }
  }

  static Contributions only(std::uint32_t contribution) { return static_cast<Contributions>(1U << contribution); }

  State beginning() const {
    State state(brought(packets_.size(), NodeId(0)), '\0');
    for (std::uint32_t value = 0; value < collective_.values(); ++value) {
      for (std::uint32_t p = 0; p < fabric_.processors(); ++p) state[held(value, p)] = static_cast<char>(only(p));
    }
    return state;
  }

  bool done(const State& state) const {
    for (std::uint64_t i = 0; i < collective_.demands(); ++i) {
      const auto [chunk, processor] = collective_.demand_at(i);
      const auto value = static_cast<std::uint32_t>(chunk.value);
      const auto [first, last] = collective_.wanted_contributions(value, processor).value();
      Contributions wanted = 0;
      for (std::uint32_t k = first; k <= last; ++k) wanted = static_cast<Contributions>(wanted | only(k));
      if (static_cast<Contributions>(state[held(value, processor.value)]) != wanted) return false;
    }
    return true;
  }

  // What the packet carries out of the node; 0 if it is not there.
  Contributions leaving(const State& state, std::size_t packet, NodeId node) const {
    const ChunkName name = collective_.name(packets_[packet]);
    if (reduces(node)) packet = joined(packet);
    return static_cast<Contributions>(
        state[name.origin == node.value ? held(name.part, node.value) : brought(packet, node)]);
  }

  // Chooses what crosses channel e: packets from number `next` on, `already` have been chosen.
  void choose(const State& state, std::uint32_t e, std::size_t next, std::uint32_t already, std::vector<Hop>& hops,
              std::set<State>& after) {
    if (work_left_ == 0 || success_) return;
    --work_left_;
    if (e == fabric_.channels()) return conclude(state, hops, after);
    choose(state, e + 1, 0, 0, hops, after);
    const Channel& channel = fabric_.channel(ChannelId(e));
    if (already == channel.capacity) return;
    for (std::size_t packet = next; packet < packets_.size(); ++packet) {
      const Contributions set = leaving(state, packet, channel.from);
      if (set == 0) continue;
      hops.push_back({ChannelId(e), packet, set});
      if (rules_allow(hops)) choose(state, e, packet + 1, already + 1, hops, after);
      hops.pop_back();
    }
  }

  // Of the rules that more hops can only break.
  bool rules_allow(const std::vector<Hop>& hops) const {
    const Rules& rules = fabric_.rules();
    const Channel& last = fabric_.channel(hops.back().channel);
    const auto count = [&](auto which) {
      return static_cast<std::uint32_t>(
          std::count_if(hops.begin(), hops.end(), [&](const Hop& hop) { return which(fabric_.channel(hop.channel)); }));
    };
    if (rules.duplex == Duplex::half) {
      const ChannelId e = hops.back().channel;
      const ChannelId back = fabric_.channel_between(last.to, last.from).value_or(e);
      const std::uint32_t capacity = fabric_.channel(std::min(e, back)).capacity;
      const auto of_link = [&](const Channel& it) {
        return std::minmax(it.from, it.to) == std::minmax(last.from, last.to);
      };
      if (count(of_link) > capacity) return false;
    }
    if (rules.ports == Ports::multi) return true;
    for (const NodeId p : {last.from, last.to}) {
      if (!fabric_.is_processor(p)) continue;
      const std::uint32_t out = count([&](const Channel& it) { return it.from == p; });
      const std::uint32_t in = count([&](const Channel& it) { return it.to == p; });
      if (out > 1 || in > 1 || (rules.duplex == Duplex::half && out + in > 1)) return false;
    }
    return true;
  }

  void conclude(const State& state, const std::vector<Hop>& hops, std::set<State>& after) {
    State next = state;
    if (!join(hops, next)) return;
    if (fabric_.switches_reduce() && !join_in_switches(hops, next)) return;
    if (last_) {
      success_ = done(next);
      return;
    }
    const auto limit = fabric_.rules().queue.limit;
    std::vector<State> kept{next};
    for (std::uint32_t v = fabric_.processors(); limit && v < fabric_.nodes(); ++v) {
      if (reduces(NodeId(v))) continue;
      std::vector<State> more;
      for (const State& it : kept) keep_some(it, NodeId(v), 0, *limit, more);
      kept = std::move(more);
    }
    for (State& it : kept) {
      for (const auto& [channel, packet, set] : hops) {  // of several into one node, the last one counts
        const NodeId to = fabric_.channel(channel).to;
        if (reduces(to)) continue;
        if (collective_.name(packets_[packet]).origin != to.value) it[brought(packet, to)] = static_cast<char>(set);
      }
      after.insert(it);
    }
  }

  // What has left a switch is gone; what is left is buffered, as much as the queue allows; then the arrivals join. What
  // never leaves is not tried: a schedule without its rows is one as well. The same of rows that join nothing new.
  bool join_in_switches(const std::vector<Hop>& hops, State& state) const {
    for (const auto& [channel, packet, set] : hops) {
      const NodeId from = fabric_.channel(channel).from;
      if (reduces(from)) state[brought(joined(packet), from)] = 0;
    }
    for (std::uint32_t v = fabric_.processors(); v < fabric_.nodes(); ++v) {
      std::uint32_t buffered = 0;
      for (std::size_t packet = 0; packet < packets_.size(); ++packet)
        buffered += state[brought(packet, NodeId(v))] != 0;
      if (buffered > fabric_.rules().queue.limit.value_or(buffered)) return false;
    }
    for (const auto& [channel, packet, set] : hops) {
      const NodeId to = fabric_.channel(channel).to;
      if (!reduces(to)) continue;
      char& here = state[brought(joined(packet), to)];
      if (!collective_.idempotent() && (static_cast<Contributions>(here) & set) != 0) return false;
      here = static_cast<char>(static_cast<Contributions>(here) | set);
    }
    return true;
  }

  // The states in which the switch buffers at most so many of the packets from `packet` on.
  void keep_some(const State& state, NodeId node, std::size_t packet, std::uint32_t most,
                 std::vector<State>& all) const {
    if (packet == packets_.size()) {
      all.push_back(state);
      return;
    }
    const bool there = state[brought(packet, node)] != 0;
    if (most > 0 || !there) keep_some(state, node, packet + 1, most - (there ? 1 : 0), all);
    if (!there) return;
    State without = state;
    without[brought(packet, node)] = 0;
    keep_some(without, node, packet + 1, most, all);
  }

  // Joins what comes to its target, in the model's order; false if that counts a contribution twice or leaves a gap.
  bool join(const std::vector<Hop>& hops, State& state) const {
    std::vector<std::tuple<std::size_t, int, ChannelId, std::size_t, Contributions>> joins;
    for (const auto& [channel, packet, set] : hops) {
      const ChunkName name = collective_.name(packets_[packet]);
      if (fabric_.channel(channel).to.value != name.target) continue;
      joins.emplace_back(held(name.part, *name.target), std::countr_zero(set), channel, packet, set);
    }
    std::sort(joins.begin(), joins.end());
    for (const auto& [place, smallest, channel, packet, set] : joins) {
      const auto here = static_cast<Contributions>(state[place]);
      if (!collective_.idempotent() && (here & set) != 0 && (here & set) != here) return false;
      state[place] = static_cast<char>(here | set);
    }
    if (!collective_.ordered()) return true;
    return std::all_of(joins.begin(), joins.end(), [&](const auto& it) {
      const auto here = static_cast<Contributions>(state[std::get<0>(it)]);
      return std::has_single_bit((here >> std::countr_zero(here)) + 1U);
    });
  }

  const Fabric& fabric_;
  const Collective& collective_;
  std::vector<ChunkId> packets_;
  std::uint64_t work_left_;
  bool last_ = false;
  bool success_ = false;
};

}  // namespace

std::optional<bool> combining_schedule_exists(const Fabric& fabric, const Collective& collective, std::uint32_t steps,
                                              std::uint64_t most_work) {
  if (fabric.switches_forward() && fabric.has_switches()) return std::nullopt;
  return Everything(fabric, collective, most_work).search(steps);
}

}  // namespace quadrille::tests
