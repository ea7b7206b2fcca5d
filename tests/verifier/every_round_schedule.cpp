// Every way of a message; then every set of these that the rules allow in one round, from every state that is reached.
// A message brings all that its senders have: nothing forbids what is not needed, and lengths do not count.
#include "tests/verifier/every_round_schedule.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "tests/verifier/message_paths.h"

namespace quadrille::tests {
namespace {

constexpr std::uint32_t most_channels = 12;

using Things = std::set<std::uint64_t>;  // chunks, or who has contributed to a value
using State = std::vector<Things>;       // [node]
class EveryRound {
 public:
  EveryRound(const Fabric& fabric, const Collective& collective, std::uint64_t most_work)
      : fabric_(fabric), collective_(collective), work_left_(most_work), possible_(message_paths(fabric, collective)) {}

  std::optional<bool> search(std::uint32_t rounds) {
    std::set<State> states{at_the_start()};
    for (std::uint32_t r = 1; r <= rounds; ++r) {
      std::set<State> after;
      for (const State& state : states) {
        std::vector<MessagePath> chosen;
        choose(state, 0, chosen, after);
        if (work_left_ == 0) return std::nullopt;
      }
      states = std::move(after);
    }
    return std::ranges::any_of(states, [&](const State& state) { return complete(state); });
  }

 private:
  State at_the_start() const {
    State state(fabric_.nodes());
    for (std::uint32_t p = 0; p < fabric_.processors(); ++p) {
      if (collective_.combining()) state[p].insert(p);
      for (std::uint64_t c = 0; !collective_.combining() && c < collective_.chunk_ids(); ++c) {
        if (collective_.has(ChunkId(c)) && collective_.starts_at(ChunkId(c), NodeId(p))) state[p].insert(c);
      }
    }
    return state;
  }

  bool complete(const State& state) const {
    for (std::uint64_t number = 0; number < collective_.demands(); ++number) {
      const auto [chunk, processor] = collective_.demand_at(number);
      if (!collective_.combining()) {
        if (!state[processor.value].contains(chunk.value)) return false;
        continue;
      }
      const auto range = collective_.wanted_contributions(static_cast<std::uint32_t>(chunk.value), processor);
      for (std::uint32_t q = range->first; q <= range->second; ++q) {
        if (!state[processor.value].contains(q)) return false;
      }
    }
    return true;
  }

  // Takes possible message number `next` or not, and so on; but what brings nothing new is never taken.
  void choose(const State& state, std::size_t next, std::vector<MessagePath>& chosen, std::set<State>& after) {
    if (work_left_ == 0) return;
    --work_left_;
    if (next == possible_.size()) {
      after.insert(moved(state, chosen));
      return;
    }
    const MessagePath& it = possible_[next];
    chosen.push_back(it);
    const bool take = brings_something(state, it) && allowed(chosen);
    if (take) choose(state, next + 1, chosen, after);
    chosen.pop_back();
    if (!take || !free_of_rules()) choose(state, next + 1, chosen, after);
  }

  // Nothing limits what is sent in a round: more is never worse.
  bool free_of_rules() const { return fabric_.rules().paths == Paths::shared && fabric_.rules().ports == Ports::multi; }

  static bool brings_something(const State& state, const MessagePath& message) {
    return std::ranges::any_of(message.receivers, [&](NodeId to) {
      return std::ranges::any_of(
          message.senders, [&](NodeId from) { return !std::ranges::includes(state[to.value], state[from.value]); });
    });
  }

  static State moved(const State& state, const std::vector<MessagePath>& chosen) {
    State next = state;
    for (const MessagePath& it : chosen) {
      for (const NodeId to : it.receivers) {
        for (const NodeId from : it.senders) next[to.value].insert(state[from.value].begin(), state[from.value].end());
      }
    }
    return next;
  }

  bool allowed(const std::vector<MessagePath>& chosen) const {
    std::map<ChannelId, std::uint32_t> use;
    std::map<NodeId, int> sent;
    std::map<NodeId, int> received;
    for (const MessagePath& it : chosen) {
      for (const ChannelId e : it.channels) ++use[e];
      for (const NodeId from : it.senders) ++sent[from];
      for (const NodeId to : it.receivers) ++received[to];
    }
    const Rules& rules = fabric_.rules();
    const bool half = rules.duplex == Duplex::half;
    for (const auto& [e, number] : use) {
      if (rules.paths == Paths::shared) break;
      if (number > fabric_.channel(e).capacity) return false;
      const auto back = fabric_.channel_between(fabric_.channel(e).to, fabric_.channel(e).from);
      if (half && back && number + use_of(use, *back) > fabric_.channel(std::min(e, *back)).capacity) return false;
    }
    for (std::uint32_t p = 0; rules.ports == Ports::single && p < fabric_.processors(); ++p) {
      const int in = received[NodeId(p)];
      const int out = sent[NodeId(p)];
      if (in > 1 || out > 1 || (half && in + out > 1)) return false;
    }
    return true;
  }

  static std::uint32_t use_of(const std::map<ChannelId, std::uint32_t>& use, ChannelId channel) {
    const auto found = use.find(channel);
    return found == use.end() ? 0 : found->second;
  }

  const Fabric& fabric_;
  const Collective& collective_;
  std::uint64_t work_left_;
  std::vector<MessagePath> possible_;
};

}  // namespace

std::optional<bool> round_schedule_exists(const Fabric& fabric, const Collective& collective, std::uint32_t rounds,
                                          std::uint64_t most_work) {
  if (fabric.channels() > most_channels) return std::nullopt;
  return EveryRound(fabric, collective, most_work).search(rounds);
}

}  // namespace quadrille::tests
