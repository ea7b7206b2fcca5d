#include "tests/verifier/every_schedule.h"

#include <bit>
#include <functional>
#include <set>
#include <tuple>
#include <variant>
#include <vector>

#include "model/route.h"
#include "tests/verifier/every_forwarded_schedule.h"

namespace quadrille::tests {
namespace {

using Bits = std::uint64_t;  // a set of pairs (chunk, node)
constexpr std::size_t most_chunks = 6;

// How things stand between two steps.
struct State {
  Bits there = 0;  // the chunk is at the node; in a switch: and may leave it still
  Bits ready = 0;  // phases: it was when the phase began
  Bits left = 0;   // inject once: the chunk has left this processor, where it starts
  std::uint32_t phases = 0;
  auto operator<=>(const State&) const = default;
};

class Everything {
 public:
  Everything(const Certificate& question, std::uint64_t most_work) : question_(question), work_left_(most_work) {
    const Collective& collective = question.collective;
    std::set<ChunkId> moving;
    for (std::uint64_t i = 0; i < collective.demands(); ++i) moving.insert(collective.demand_at(i).first);
    chunks_.assign(moving.begin(), moving.end());
    if (too_many()) return;
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
      for (std::uint32_t p = 0; p < fabric_.processors(); ++p) {
        if (collective.starts_at(chunks_[c], NodeId(p))) starts_ |= bit(c, NodeId(p));
        if (collective.demand(chunks_[c], NodeId(p))) wanted_ |= bit(c, NodeId(p));
      }
    }
    for (std::size_t c = 0; c < chunks_.size(); ++c) allowed_.push_back(allowed(c));
  }

  std::optional<bool> search() {
    if (too_many()) return std::nullopt;
    std::set<State> states{{starts_, starts_, 0, 1}};
    for (std::uint32_t t = 1; t <= question_.steps; ++t) {
      std::set<State> after;
      for (const State& state : states) {
        each_phase(state, [&](const State& begun) { each_step(begun, after); });
        if (work_left_ == 0) return std::nullopt;
      }
      states = std::move(after);
    }
    for (const State& state : states) {
      if ((state.there & wanted_) == wanted_) return true;
    }
    return false;
  }

 private:
  bool too_many() const { return chunks_.size() > most_chunks || chunks_.size() * fabric_.nodes() > 64; }

  // The channels that the chunk may use: all, but where it keeps to its paths.
  std::vector<bool> allowed(std::size_t c) const {
    std::vector<std::uint32_t> starts;
    for (std::uint32_t p = 0; p < fabric_.processors(); ++p) {
      if ((starts_ & bit(c, NodeId(p))) != 0) starts.push_back(p);
    }
    const bool tree = fabric_.topology().tree() != nullptr;
    if (!question_.paths_kept || !tree || starts.size() != 1) return std::vector<bool>(fabric_.channels(), true);
    std::vector<bool> on_path(fabric_.channels());
    const Router router(fabric_);
    for (std::uint32_t p = 0; p < fabric_.processors(); ++p) {
      std::vector<ChannelId> path;
      if ((wanted_ & bit(c, NodeId(p))) != 0) router.append_route(NodeId(starts.front()), NodeId(p), path);
      for (const ChannelId e : path) on_path[e.value] = true;
    }
    return on_path;
  }

  Bits bit(std::size_t chunk, NodeId node) const { return Bits{1} << (chunk * fabric_.nodes() + node.value); }

  // Goes on with the phase, or begins a new one.
  void each_phase(const State& state, const std::function<void(const State&)>& visit) const {
    visit(state);
    if (!question_.phases || state.phases == *question_.phases) return;
    State begun = state;
    begun.ready = state.there;
    ++begun.phases;
    visit(begun);
  }

  // Every set of rows that the rules allow in one step.
  void each_step(const State& state, std::set<State>& after) {
    std::vector<std::uint32_t> rows(fabric_.channels());
    choose(state, 0, 0, 0, rows, after);
  }

  // Chooses what crosses channel e and, of that, chunks from c on.
  void choose(const State& state, std::uint32_t e, Bits arrivals, Bits departures, std::vector<std::uint32_t>& rows,
              std::set<State>& after) {
    if (work_left_ == 0) return;
    --work_left_;
    if (e == fabric_.channels()) {
      if (ports_allow(rows)) conclude(state, arrivals, departures, after);
      return;
    }
    const Channel& channel = fabric_.channel(ChannelId(e));
    const Bits sets = Bits{1} << chunks_.size();
    for (Bits set = 0; set < sets; ++set) {
      const auto size = static_cast<std::uint32_t>(std::popcount(set));
      if (size > channel.capacity) continue;
      rows[e] = size;
      const auto reverse = fabric_.channel_between(channel.to, channel.from);
      const std::uint32_t back = reverse.value_or(ChannelId(e)).value;
      const std::uint32_t low = std::min(e, back);
      if (half() && back < e && rows[e] + rows[back] > fabric_.channel(ChannelId(low)).capacity) continue;
      Bits in = 0;
      Bits out = 0;
      bool good = true;
      for (std::size_t c = 0; c < chunks_.size() && good; ++c) {
        if ((set >> c & 1U) == 0) continue;
        good = allowed_[c][e] && may_leave(state, bit(c, channel.from)) &&
               (state.there & bit(c, channel.to) & processor_bits(c)) == 0;
        in |= bit(c, channel.to);
        out |= bit(c, channel.from);
      }
      if (good) choose(state, e + 1, arrivals | in, departures | out, rows, after);
    }
    rows[e] = 0;
  }

  Bits processor_bits(std::size_t c) const { return ((Bits{1} << fabric_.processors()) - 1) << (c * fabric_.nodes()); }

  bool may_leave(const State& state, Bits pair) const {
    if (question_.inject_once && (state.left & pair) != 0) return false;
    return ((question_.phases ? state.ready : state.there) & pair) != 0;
  }

  bool half() const { return fabric_.rules().duplex == Duplex::half; }

  bool ports_allow(const std::vector<std::uint32_t>& rows) const {
    if (fabric_.rules().ports == Ports::multi) return true;
    for (std::uint32_t p = 0; p < fabric_.processors(); ++p) {
      std::uint32_t out = 0;
      std::uint32_t in = 0;
      for (const ChannelId e : fabric_.channels_from(NodeId(p))) out += rows[e.value];
      for (const ChannelId e : fabric_.channels_to(NodeId(p))) in += rows[e.value];
      if (out > 1 || in > 1 || (half() && out + in > 1)) return false;
    }
    return true;
  }

  // What stays in the switches is chosen, too: as much as their queues allow.
  void conclude(const State& state, Bits arrivals, Bits departures, std::set<State>& after) {
    State next = state;
    next.left |= question_.inject_once ? departures & starts_ : 0;
    const auto limit = fabric_.rules().queue.limit;
    if (!limit) {
      next.there |= arrivals;
      if (!question_.phases) next.ready = 0;
      after.insert(next);
      return;
    }
    std::vector<Bits> kept{0};
    for (std::uint32_t v = fabric_.processors(); v < fabric_.nodes(); ++v) {
      std::vector<Bits> more;
      for (Bits set = 0; set < Bits{1} << chunks_.size(); ++set) {
        if (static_cast<std::uint32_t>(std::popcount(set)) > *limit) continue;
        Bits here = 0;
        for (std::size_t c = 0; c < chunks_.size(); ++c) here |= (set >> c & 1U) != 0 ? bit(c, NodeId(v)) : 0;
        if ((state.there & here) != here) continue;
        for (const Bits other : kept) more.push_back(other | here);
      }
      kept = std::move(more);
    }
    Bits processors = 0;
    for (std::size_t c = 0; c < chunks_.size(); ++c) processors |= processor_bits(c);
    for (const Bits stays : kept) {
      next.there = (state.there & processors) | stays | arrivals;
      next.ready = 0;
      after.insert(next);
    }
  }

  const Certificate& question_;
  const Fabric& fabric_ = question_.fabric;
  std::vector<ChunkId> chunks_;
  std::vector<std::vector<bool>> allowed_;  // [chunk][channel]
  Bits starts_ = 0;
  Bits wanted_ = 0;
  std::uint64_t work_left_;
};

}  // namespace

std::optional<bool> schedule_exists(const Certificate& question, std::uint64_t most_work) {
  const bool forwarded = question.fabric.switches_forward();
  if (forwarded && question.fabric.has_switches()) {
    return forwarded_schedule_exists(question, most_work);
  }
  return Everything(question, most_work).search();
}

}  // namespace quadrille::tests
