#include "tests/verifier/every_forwarded_schedule.h"

#include <algorithm>
#include <compare>
#include <set>
#include <vector>

#include "model/route.h"

namespace quadrille::tests {
namespace {

// How things stand between two steps.
struct State {
  std::vector<std::uint8_t> copies;  // by chunk, then by node: in a switch, how many; at a processor, 1 if it is there
  std::vector<std::uint8_t> left;  // inject once: likewise, 1 where the chunk has left this processor, where it starts
  auto operator<=>(const State&) const = default;
};

class Everything {
 public:
  Everything(const Certificate& question, std::uint64_t most_work) : question_(question), work_left_(most_work) {
    std::set<ChunkId> moving;
    for (std::uint64_t i = 0; i < collective_.demands(); ++i) moving.insert(collective_.demand_at(i).first);
    chunks_.assign(moving.begin(), moving.end());
    for (std::size_t c = 0; c < chunks_.size(); ++c) allowed_.push_back(allowed(c));
  }

  std::optional<bool> search() {
    if (question_.phases || chunks_.size() > 6) return std::nullopt;
    State first{std::vector<std::uint8_t>(chunks_.size() * fabric_.nodes()), {}};
    first.left = first.copies;
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
      for (std::uint32_t p = 0; p < fabric_.processors(); ++p) first.copies[at(c, NodeId(p))] = starts(c, NodeId(p));
    }
    std::set<State> states{first};
    for (std::uint32_t t = 1; t <= question_.steps; ++t) {
      std::set<State> after;
      for (const State& state : states) {
        State next = state;
        Rows rows{std::vector<std::uint32_t>(fabric_.channels()), {}};
        rows.in.resize(state.copies.size());
        choose(state, next, 0, 0, rows, after);
        if (work_left_ == 0) return std::nullopt;
      }
      states = std::move(after);
    }
    return std::any_of(states.begin(), states.end(), [&](const State& state) { return done(state); });
  }

 private:
  struct Rows {
    std::vector<std::uint32_t> on_channel;
    std::vector<std::uint8_t> in;  // arrivals, as State::copies
  };

  std::size_t at(std::size_t chunk, NodeId node) const { return chunk * fabric_.nodes() + node.value; }
  bool starts(std::size_t c, NodeId p) const { return collective_.starts_at(chunks_[c], p); }

  bool done(const State& state) const {
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
      for (std::uint32_t p = 0; p < fabric_.processors(); ++p) {
        if (collective_.demand(chunks_[c], NodeId(p)) && state.copies[at(c, NodeId(p))] == 0) return false;
      }
    }
    return true;
  }

  // The channels that the chunk may use: all, but where it keeps to its paths.
  std::vector<bool> allowed(std::size_t c) const {
    std::vector<std::uint32_t> where;
    for (std::uint32_t p = 0; p < fabric_.processors(); ++p) {
      if (starts(c, NodeId(p))) where.push_back(p);
    }
    const bool kept = question_.paths_kept && fabric_.topology().tree() != nullptr && where.size() == 1;
    std::vector<bool> on_path(fabric_.channels(), !kept);
    const Router router(fabric_);
    for (std::uint32_t p = 0; kept && p < fabric_.processors(); ++p) {
      std::vector<ChannelId> path;
      if (collective_.demand(chunks_[c], NodeId(p))) router.append_route(NodeId(where.front()), NodeId(p), path);
      for (const ChannelId e : path) on_path[e.value] = true;
    }
    return on_path;
  }

  // Chooses what crosses channel e: rows of chunks from `c` on. Departures are taken from `next` at once, arrivals are
  // added at the end.
  void choose(const State& state, State& next, std::uint32_t e, std::size_t c, Rows& rows, std::set<State>& after) {
    if (work_left_ == 0) return;
    --work_left_;
    if (e == fabric_.channels()) return conclude(next, rows, after);
    if (c == chunks_.size()) return choose(state, next, e + 1, 0, rows, after);
    choose(state, next, e, c + 1, rows, after);
    const Channel& channel = fabric_.channel(ChannelId(e));
    const bool from_processor = fabric_.is_processor(channel.from);
    const std::size_t from = at(c, channel.from);
    const std::size_t to = at(c, channel.to);
    // A second row into a processor serves nothing.
    const bool has_it = fabric_.is_processor(channel.to) && (state.copies[to] > 0 || rows.in[to] > 0);
    if (!allowed_[c][e] || has_it || !room(ChannelId(e), rows) || next.copies[from] == 0) return;
    if (question_.inject_once && from_processor && starts(c, channel.from) && state.left[from] > 0) return;
    const std::uint8_t left = next.left[from];
    if (from_processor && starts(c, channel.from) && question_.inject_once) next.left[from] = 1;
    if (!from_processor) --next.copies[from];
    ++rows.on_channel[e];
    ++rows.in[to];
    choose(state, next, e, c, rows, after);  // and perhaps one more of the same chunk
    --rows.in[to];
    --rows.on_channel[e];
    if (!from_processor) ++next.copies[from];
    next.left[from] = left;
  }

  bool half() const { return fabric_.rules().duplex == Duplex::half; }

  // Whether one row more keeps to the rules of lanes and ports. Channels are chosen by number.
  bool room(ChannelId e, const Rows& rows) const {
    const Channel& channel = fabric_.channel(e);
    if (rows.on_channel[e.value] == channel.capacity) return false;
    const auto back = fabric_.channel_between(channel.to, channel.from);
    if (half() && back) {
      const std::uint32_t capacity = fabric_.channel(std::min(e, *back)).capacity;
      if (rows.on_channel[e.value] + rows.on_channel[back->value] == capacity) return false;
    }
    if (fabric_.rules().ports == Ports::multi) return true;
    const auto count = [&](auto channels) {
      std::uint32_t all = 0;
      for (const ChannelId id : channels) all += rows.on_channel[id.value];
      return all;
    };
    const auto busy = [&](NodeId node, bool out) {
      if (!fabric_.is_processor(node)) return false;
      const std::uint32_t same = count(out ? fabric_.channels_from(node) : fabric_.channels_to(node));
      const std::uint32_t other = count(out ? fabric_.channels_to(node) : fabric_.channels_from(node));
      return same > 0 || (half() && other > 0);
    };
    return !busy(channel.from, true) && !busy(channel.to, false);
  }

  // What has not left the switches is buffered in this step.
  void conclude(State next, const Rows& rows, std::set<State>& after) const {
    for (std::uint32_t v = fabric_.processors(); v < fabric_.nodes() && fabric_.rules().queue.limit; ++v) {
      std::uint32_t buffered = 0;
      for (std::size_t c = 0; c < chunks_.size(); ++c) buffered += next.copies[at(c, NodeId(v))];
      if (buffered > *fabric_.rules().queue.limit) return;
    }
    for (std::size_t i = 0; i < rows.in.size(); ++i)
      next.copies[i] = static_cast<std::uint8_t>(next.copies[i] + rows.in[i]);
    after.insert(std::move(next));
  }

  const Certificate& question_;
  const Fabric& fabric_ = question_.fabric;
  const Collective& collective_ = question_.collective;
  std::vector<ChunkId> chunks_;
  std::vector<std::vector<bool>> allowed_;  // [chunk][channel]
  std::uint64_t work_left_;
};

}  // namespace

std::optional<bool> forwarded_schedule_exists(const Certificate& question, std::uint64_t most_work) {
  return Everything(question, most_work).search();
}

}  // namespace quadrille::tests
