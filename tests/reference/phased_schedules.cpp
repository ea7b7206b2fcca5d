// Idea: what every node holds of each chunk or value is a set; a step moves the sets as they were when the phase began.
// From each state each choice of rows that the rules allow is tried, in this phase or in a new one; where sets are
// united, only choices to which no row can be added, for more never does harm.
#include "tests/reference/phased_schedules.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace quadrille::reference {
namespace {

using Set = std::uint32_t;                   // of contributions; of a chunk 0 or 1
using Held = std::vector<std::vector<Set>>;  // [node][chunk or value]

class PhasedSchedules {
 public:
  PhasedSchedules(const Fabric& fabric, const Collective& collective, std::uint64_t most_work)
      : fabric_(fabric), collective_(collective), work_left_(most_work) {}

  // Whether what is tried here is what there is.
  bool applies() {
    if (fabric_.rules().queue.limit || collective_.kind() == CollectiveKind::exclusive_prefix) return false;
    const bool switches = fabric_.has_switches();
    if (!collective_.combining()) {
      united_ = true;
      return !switches || !fabric_.switches_forward();
    }
    const bool one_target =
        collective_.kind() == CollectiveKind::reduce || collective_.kind() == CollectiveKind::reduce_scatter;
    united_ = collective_.idempotent() || (one_target && collective_.operation() == Operation::commutative);
    return !switches || (united_ && one_target && fabric_.switches_reduce());
  }

  std::optional<bool> search(std::uint32_t phases, std::uint32_t steps) {
    const Held start = at_the_start();
    const bool found = complete(start) || (phases > 0 && reaches_all(start, start, phases - 1, steps));
    if (work_left_ == 0) return std::nullopt;
    return found;
  }

 private:
  std::uint64_t things() const { return collective_.combining() ? collective_.values() : collective_.chunk_ids(); }

  Held at_the_start() const {
    Held held(fabric_.nodes(), std::vector<Set>(things()));
    for (std::uint32_t p = 0; p < fabric_.processors(); ++p) {
      for (std::uint64_t x = 0; x < things(); ++x) {
        const bool chunk =
            !collective_.combining() && collective_.has(ChunkId(x)) && collective_.starts_at(ChunkId(x), NodeId{p});
        held[p][x] = collective_.combining() ? Set{1} << p : chunk ? 1 : 0;
      }
    }
    return held;
  }

  bool complete(const Held& held) const {
    for (std::uint64_t number = 0; number < collective_.demands(); ++number) {
      const auto [thing, processor] = collective_.demand_at(number);
      if (held[processor.value][thing.value] != wanted(thing.value, processor)) return false;
    }
    return true;
  }

  // What the node may hold, and has to where something is asked of it.
  Set wanted(std::uint64_t thing, NodeId node) const {
    if (!collective_.combining()) return 1;
    if (!fabric_.is_processor(node)) return ~Set{0};
    const auto range = collective_.wanted_contributions(static_cast<std::uint32_t>(thing), node);
    return range ? (Set{2} << range->second) - (Set{1} << range->first) : ~Set{0};
  }

  // An ordered operation: between phases what is held has no gap.
  bool has_gap(const Held& held) const {
    if (collective_.operation() != Operation::ordered) return false;
    for (const std::vector<Set>& node : held) {
      for (const Set set : node) {
        const Set lowest = set & (~set + 1);
        if (((set + lowest) & set) != 0) return true;
      }
    }
    return false;
  }

  bool reaches_all(const Held& ready, const Held& now, std::uint32_t phases, std::uint32_t steps) {
    if (complete(now) && !has_gap(now)) return true;
    if (steps == 0 || work_left_ == 0) return false;
    if (!failed_.emplace(ready, now, phases, steps).second) return false;
    if (phases > 0 && now != ready && !has_gap(now) && step(now, now, phases - 1, steps)) return true;
    return step(ready, now, phases, steps);
  }

  bool step(const Held& ready, const Held& now, std::uint32_t phases, std::uint32_t steps) {
    std::vector<std::pair<ChannelId, std::uint64_t>> rows;
    return choose(ready, now, 0, 0, rows,
                  [&](const Held& next) { return next != now && reaches_all(ready, next, phases, steps - 1); });
  }

  using Rows = std::vector<std::pair<ChannelId, std::uint64_t>>;

  // Takes row number `next`, or not, and so on; `after` is what is held after those that have been taken.
  template <class Try>
  bool choose(const Held& ready, const Held& after, std::uint32_t channel, std::uint64_t thing, Rows& rows,
              const Try& attempt) {
    if (work_left_ == 0) return false;
    --work_left_;
    if (thing == things()) return choose(ready, after, channel + 1, 0, rows, attempt);
    if (channel >= fabric_.channels()) return (!united_ || !can_grow(ready, after, rows)) && attempt(after);
    if (const auto next = moved(ready, after, ChannelId{channel}, thing); next && allowed(rows, ChannelId{channel})) {
      rows.emplace_back(channel, thing);
      const bool found = choose(ready, *next, channel, thing + 1, rows, attempt);
      rows.pop_back();
      if (found) return true;
    }
    return choose(ready, after, channel, thing + 1, rows, attempt);
  }

  bool can_grow(const Held& ready, const Held& after, const Rows& rows) const {
    for (std::uint32_t e = 0; e < fabric_.channels(); ++e) {
      for (std::uint64_t x = 0; x < things(); ++x) {
        if (moved(ready, after, ChannelId{e}, x) && allowed(rows, ChannelId{e})) return true;
      }
    }
    return false;
  }

  // What is held when the row has come, too; nothing if that is no more, or a contribution would count twice.
  std::optional<Held> moved(const Held& ready, const Held& held, ChannelId e, std::uint64_t x) const {
    const Channel& channel = fabric_.channel(e);
    const Set brought = ready[channel.from.value][x];
    const Set there = held[channel.to.value][x];
    if ((brought & ~there) == 0 || (brought & ~wanted(x, channel.to)) != 0) return std::nullopt;
    if (!united_ && (brought & there) != 0 && (brought & there) != there) return std::nullopt;
    Held next = held;
    next[channel.to.value][x] |= brought;
    return next;
  }

  bool allowed(const Rows& rows, ChannelId e) const {
    const Rules& rules = fabric_.rules();
    const Channel& channel = fabric_.channel(e);
    const auto reverse = fabric_.reverse(e);
    const bool half = rules.duplex == Duplex::half;
    std::uint32_t on_link = 0;
    for (const auto& [other, thing] : rows) {
      const Channel& its = fabric_.channel(other);
      if (other == e || (half && reverse == other)) ++on_link;
      if (rules.ports != Ports::single) continue;
      if (its.from == channel.from && fabric_.is_processor(its.from)) return false;
      if (its.to == channel.to && fabric_.is_processor(its.to)) return false;
      if (half && its.to == channel.from && fabric_.is_processor(its.to)) return false;
      if (half && its.from == channel.to && fabric_.is_processor(its.from)) return false;
    }
    const ChannelId lower = half && reverse ? std::min(e, *reverse) : e;
    return on_link < fabric_.channel(lower).capacity;
  }

  const Fabric& fabric_;
  const Collective& collective_;
  std::uint64_t work_left_;
  bool united_ = false;
  std::set<std::tuple<Held, Held, std::uint32_t, std::uint32_t>> failed_;
};

}  // namespace

std::optional<bool> phased_schedule_exists(const Fabric& fabric, const Collective& collective, std::uint32_t phases,
                                           std::uint32_t steps, std::uint64_t most_work) {
  PhasedSchedules every(fabric, collective, most_work);
  if (!every.applies()) return std::nullopt;
  return every.search(phases, steps);
}

}  // namespace quadrille::reference
