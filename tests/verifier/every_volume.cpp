// Every way of a message; on each, every set of values that a message may bring, as often as
// lanes allow; from every state that is reached, with every length of a round.
#include "tests/verifier/every_volume.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/verifier/message_paths.h"

namespace quadrille::tests {
namespace {

constexpr std::uint32_t most_channels = 10;

// A chunk, or one's contribution to a value.
struct Thing {
  std::uint64_t value;
  std::uint32_t of;
  auto operator<=>(const Thing&) const = default;
};

using State = std::vector<std::set<Thing>>;  // [node]
using Values = std::set<std::uint64_t>;

struct Message {
  MessagePath way;
  Values values;
};

class EveryVolume {
 public:
  EveryVolume(const Fabric& fabric, const Collective& collective, std::uint64_t most_work)
      : fabric_(fabric), collective_(collective), work_left_(most_work) {
    for (const MessagePath& way : message_paths(fabric, collective)) add(way);
  }

  std::optional<bool> search(std::uint32_t rounds, std::uint32_t volume) {
    const bool found = reaches_all(at_the_start(), rounds, volume);
    if (work_left_ == 0) return std::nullopt;
    return found;
  }

 private:
  // On held paths as often as lanes allow.
  void add(const MessagePath& way) {
    std::uint32_t lanes = fabric_.rules().paths == Paths::held ? ~0U : 1;
    for (const ChannelId e : way.channels) lanes = std::min(lanes, fabric_.channel(e).capacity);
    for (std::uint32_t again = 0; again < lanes; ++again) ways_.push_back(way);
  }

  State at_the_start() const {
    State state(fabric_.nodes());
    for (std::uint32_t p = 0; p < fabric_.processors(); ++p) {
      for (std::uint64_t x = 0; collective_.combining() && x < collective_.values(); ++x) state[p].insert({x, p});
      for (std::uint64_t c = 0; !collective_.combining() && c < collective_.chunk_ids(); ++c) {
        if (collective_.has(ChunkId(c)) && collective_.starts_at(ChunkId(c), NodeId(p))) state[p].insert({c, 0});
      }
    }
    return state;
  }

  bool complete(const State& state) const {
    for (std::uint64_t number = 0; number < collective_.demands(); ++number) {
      const auto [chunk, processor] = collective_.demand_at(number);
      const std::set<Thing>& here = state[processor.value];
      if (!collective_.combining()) {
        if (!here.contains({chunk.value, 0})) return false;
        continue;
      }
      const auto range = collective_.wanted_contributions(static_cast<std::uint32_t>(chunk.value), processor);
      for (std::uint32_t q = range->first; q <= range->second; ++q) {
        if (q != processor.value && !here.contains({chunk.value, q})) return false;
      }
    }
    return true;
  }

  bool reaches_all(const State& state, std::uint32_t rounds, std::uint32_t volume) {
    if (complete(state)) return true;
    if (rounds == 0 || volume == 0 || work_left_ == 0) return false;
    const auto key = std::tuple(state, rounds, volume);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    bool found = false;
    for (std::uint32_t length = 1; length <= volume && !found; ++length) {
      std::vector<Message> chosen;
      found = choose(state, 0, length, chosen, [&](const State& next) {
        return next != state && reaches_all(next, rounds - 1, volume - length);
      });
    }
    return known_[key] = found;
  }

  // Takes some values by way number `next`, or none, and so on.
  template <class Try>
  bool choose(const State& state, std::size_t next, std::uint32_t length, std::vector<Message>& chosen,
              const Try& attempt) {
    if (work_left_ == 0) return false;
    --work_left_;
    if (next == ways_.size()) return attempt(moved(state, chosen));
    const std::vector<std::uint64_t> news = new_values(state, ways_[next]);
    if (news.size() > 10) {
      work_left_ = 0;
      return false;
    }
    for (std::uint32_t set = 0; set < 1U << news.size(); ++set) {
      Values values;
      for (std::size_t i = 0; i < news.size(); ++i) {
        if ((set >> i & 1U) != 0) values.insert(news[i]);
      }
      if (!values.empty()) chosen.push_back({ways_[next], values});
      const bool found = allowed(chosen, length) && choose(state, next + 1, length, chosen, attempt);
      if (!values.empty()) chosen.pop_back();
      if (found) return true;
    }
    return false;
  }

  // Those of which a sender has what some receiver lacks.
  static std::vector<std::uint64_t> new_values(const State& state, const MessagePath& way) {
    Values values;
    for (const NodeId from : way.senders) {
      for (const Thing& thing : state[from.value]) {
        for (const NodeId to : way.receivers) {
          if (!state[to.value].contains(thing)) values.insert(thing.value);
        }
      }
    }
    return {values.begin(), values.end()};
  }

  static State moved(const State& state, const std::vector<Message>& chosen) {
    State next = state;
    for (const Message& it : chosen) {
      for (const NodeId from : it.way.senders) {
        for (const Thing& thing : state[from.value]) {
          if (!it.values.contains(thing.value)) continue;
          for (const NodeId to : it.way.receivers) next[to.value].insert(thing);
        }
      }
    }
    return next;
  }

  bool allowed(const std::vector<Message>& chosen, std::uint32_t length) const {
    const Rules& rules = fabric_.rules();
    const bool held = rules.paths == Paths::held;
    std::map<ChannelId, std::size_t> use;  // messages, or chunks
    std::map<NodeId, int> sent;
    std::map<NodeId, int> received;
    for (const Message& it : chosen) {
      if (held && it.values.size() > length) return false;
      for (const ChannelId e : it.way.channels) use[e] += held ? 1 : it.values.size();
      for (const NodeId from : it.way.senders) ++sent[from];
      for (const NodeId to : it.way.receivers) ++received[to];
    }
    for (const auto& [e, number] : use) {
      const auto back = rules.duplex == Duplex::half ? fabric_.reverse(e) : std::nullopt;
      const std::size_t both = number + (back && use.contains(*back) ? use.at(*back) : 0);
      const std::uint64_t room = fabric_.channel(back ? std::min(e, *back) : e).capacity;
      if (held && number > fabric_.channel(e).capacity) return false;
      if (both > room * (held ? 1 : length)) return false;
    }
    for (std::uint32_t p = 0; rules.ports == Ports::single && p < fabric_.processors(); ++p) {
      const int in = received[NodeId(p)];
      const int out = sent[NodeId(p)];
      if (in > 1 || out > 1 || (rules.duplex == Duplex::half && in + out > 1)) return false;
    }
    return true;
  }

  const Fabric& fabric_;
  const Collective& collective_;
  std::uint64_t work_left_;
  std::vector<MessagePath> ways_;
  std::map<std::tuple<State, std::uint32_t, std::uint32_t>, bool> known_;
};

}  // namespace

std::optional<bool> volume_is_enough(const Fabric& fabric, const Collective& collective, std::uint32_t rounds,
                                     std::uint32_t volume, std::uint64_t most_work) {
  if (fabric.channels() > most_channels) return std::nullopt;
  return EveryVolume(fabric, collective, most_work).search(rounds, volume);
}

}  // namespace quadrille::tests
