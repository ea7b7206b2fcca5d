// Edges of the relation:
//   begin -> each chunk -> end, of an action; end -> begin, from an action to the next of its block
//   chunk j of a send -> chunk j of its reception; end of a flagging action -> begin of those that wait for it
// This relation, chunk by chunk, is exact, though messages may be cut into pieces in many ways: element e of a chunk
// is received after element e was read, and races are between accesses to the same element. The relation never relies
// on the depth of a queue. A third send that finds room would imply that the first message was received, but a larger
// buffer would make that false.
//
// An LL send of rccl ends without a barrier: one thread's end does not mean that the others have read their part. So
// its chunks happen only before the next barrier of the block: at the beginning of the next action, if that waits for
// a flag or sends, or else at its end; and before its reception. An action that overwrites exactly what was sent,
// chunk for chunk, does so thread by thread, so each thread writes after its own read.
//
// Reachability of pairs is computed for 512 first events at a time, with a bit for each.
#include "programs/happens_before.h"

#include <algorithm>
#include <array>
#include <bit>

namespace quadrille::programs {
namespace {

constexpr std::size_t lot_words = 8;
constexpr std::size_t lot = lot_words * 64;
using Bits = std::array<std::uint64_t, lot_words>;

}  // namespace

HappensBefore::HappensBefore(const Program& program, const ProgramNetwork& network, Work& work)
    : program_(program), network_(network), work_(work) {
  one_by_one_ = std::all_of(program.regimes.begin(), program.regimes.end(),
                            [](const Regime& regime) { return regime.together == 1; });
  std::uint32_t next = 0;
  for (std::uint32_t a = 0; a < network.actions.size(); ++a) {
    first_.push_back(next);
    next += 2 + network.actions[a].operation->count * (early(a) ? 2 : 1);
  }
  first_.push_back(next);
  for (std::uint32_t a = 0; a < network.actions.size(); ++a) add_action(a);
  for (const Lane& lane : network.blocks) add_block(lane);
  for (std::uint32_t a = 0; a < network.actions.size(); ++a) tie(a);
  finish();
}

bool HappensBefore::early(std::uint32_t action) const {
  const Kind kind = network_.actions[action].operation->kind;
  return program_.rules.early_reads && receives(kind) && reads_source(kind);
}

bool HappensBefore::leaky(std::uint32_t action) const {
  const ProgramOperation& operation = *network_.actions[action].operation;
  return program_.rules.leaky_sends && operation.kind == Kind::send && operation.count > 0;
}

std::uint32_t HappensBefore::read_at(std::uint32_t action, std::uint32_t chunk) const {
  return at_chunk(action, chunk) + (early(action) ? network_.actions[action].operation->count : 0);
}

void HappensBefore::add_action(std::uint32_t action) {
  const std::uint32_t count = network_.actions[action].operation->count;
  work_.spend(8);
  edge(begin(action), end(action));
  for (std::uint32_t j = 0; j < count; ++j) {
    work_.spend(8);
    edge(begin(action), at_chunk(action, j));
    if (!leaky(action)) edge(at_chunk(action, j), end(action));
    if (early(action)) {
      edge(begin(action), read_at(action, j));
      edge(read_at(action, j), at_chunk(action, j));
    }
    if (one_by_one_ && j > 0 && !leaky(action)) edge(at_chunk(action, j - 1), at_chunk(action, j));
  }
}

void HappensBefore::add_block(const Lane& lane) {
  for (std::uint32_t a = lane.first; a < lane.last; ++a) {
    if (a + 1 < lane.last) edge(end(a), begin(a + 1));
    if (leaky(a)) leave_open(a, lane.last);
  }
}

void HappensBefore::leave_open(std::uint32_t action, std::uint32_t last) {
  const ProgramOperation& sent = *network_.actions[action].operation;
  for (std::uint32_t a = action + 1; a < last; ++a) {
    const ProgramOperation& operation = *network_.actions[a].operation;
    work_.spend(4);
    const bool begins_with_barrier = !operation.waits.empty() || (sends(operation.kind) && operation.count > 0);
    if (!begins_with_barrier && operation.count == 0) continue;
    const bool same = operation.kind != Kind::reduce && operation.count == sent.count &&
                      operation.target == sent.source && operation.target_offset == sent.sources.front();
    for (std::uint32_t j = 0; j < sent.count; ++j) {
      work_.spend(2);
      edge(at_chunk(action, j), begins_with_barrier ? begin(a) : end(a));
      if (!begins_with_barrier && same) edge(at_chunk(action, j), at_chunk(a, j));
    }
    return;
  }
}

void HappensBefore::tie(std::uint32_t action) {
  const QueuedOperation& it = network_.actions[action];
  for (const std::uint32_t setter : it.awaited) {
    if (setter != none) edge(end(setter), begin(action));
  }
  if (it.receiver == none) return;
  const std::uint32_t count = std::min(it.operation->count, network_.actions[it.receiver].operation->count);
  for (std::uint32_t j = 0; j < count; ++j) {
    work_.spend(2);
    edge(at_chunk(action, j), at_chunk(it.receiver, j));
  }
}

// Sorts the edges by their beginnings, and the events by the relation (Kahn's algorithm).
void HappensBefore::finish() {
  starts_.assign(events() + 1, 0);
  std::vector<std::uint32_t> waiting(events(), 0);
  for (const auto& [from, to] : edges_) {
    work_.spend(2);
    ++starts_[from + 1];
    ++waiting[to];
  }
  for (std::uint32_t e = 0; e < events(); ++e) starts_[e + 1] += starts_[e];
  successors_.resize(edges_.size());
  std::vector<std::uint32_t> fill(starts_.begin(), starts_.end() - 1);
  for (const auto& [from, to] : edges_) successors_[fill[from]++] = to;
  edges_.clear();
  edges_.shrink_to_fit();
  for (std::uint32_t a = 0; a < network_.actions.size(); ++a) {
    // An action that waits for a flag that nobody sets never begins.
    const auto& awaited = network_.actions[a].awaited;
    if (std::find(awaited.begin(), awaited.end(), none) != awaited.end()) ++waiting[begin(a)];
  }
  order_.reserve(events());
  for (std::uint32_t e = 0; e < events(); ++e) {
    if (waiting[e] == 0) order_.push_back(e);
  }
  for (std::size_t i = 0; i < order_.size(); ++i) {
    work_.spend(2 + next(order_[i]).size());
    for (const std::uint32_t after : next(order_[i])) {
      if (--waiting[after] == 0) order_.push_back(after);
    }
  }
}

std::uint32_t HappensBefore::action_of(std::uint32_t event) const {
  return static_cast<std::uint32_t>(std::upper_bound(first_.begin(), first_.end(), event) - first_.begin() - 1);
}

std::span<const std::uint32_t> HappensBefore::next(std::uint32_t event) const {
  return std::span(successors_).subspan(starts_[event], starts_[event + 1] - starts_[event]);
}

HappensBefore::Unordered HappensBefore::unordered(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs,
                                                  std::size_t enough) const {
  Unordered result;
  std::vector<std::uint32_t> by_first(pairs.size());
  for (std::uint32_t i = 0; i < pairs.size(); ++i) by_first[i] = i;
  std::vector<std::uint32_t> rank(events());
  for (std::uint32_t i = 0; i < order_.size(); ++i) rank[order_[i]] = i;
  std::sort(by_first.begin(), by_first.end(),
            [&](std::uint32_t a, std::uint32_t b) { return rank[pairs[a].first] < rank[pairs[b].first]; });
  std::vector<Bits> reached(pairs.empty() ? 0 : events());
  for (std::size_t from = 0; from < by_first.size();) {
    work_.spend(1 + reached.size());
    if (result.pairs.size() >= enough) {
      result.partial = true;
      break;
    }
    std::fill(reached.begin(), reached.end(), Bits{});
    std::size_t bit = 0;
    std::size_t to = from;
    std::uint32_t latest = 0;
    std::vector<std::size_t> bits;
    for (; to < by_first.size(); ++to) {
      const auto& [first, second] = pairs[by_first[to]];
      if (to > from && first != pairs[by_first[to - 1]].first && ++bit == lot) break;
      reached[first][bit / 64] |= std::uint64_t{1} << (bit % 64);
      bits.push_back(bit);
      latest = std::max(latest, rank[second]);
    }
    for (std::uint32_t i = rank[pairs[by_first[from]].first]; i <= latest && i < order_.size(); ++i) {
      const Bits& here = reached[order_[i]];
      work_.spend(2);
      if (std::all_of(here.begin(), here.end(), [](std::uint64_t word) { return word == 0; })) continue;
      work_.spend(4 * next(order_[i]).size());
      for (const std::uint32_t after : next(order_[i])) {
        for (std::size_t w = 0; w < lot_words; ++w) reached[after][w] |= here[w];
      }
    }
    for (std::size_t i = from; i < to; ++i) {
      const std::size_t b = bits[i - from];
      if (((reached[pairs[by_first[i]].second][b / 64] >> (b % 64)) & 1) == 0) result.pairs.push_back(by_first[i]);
    }
    from = to;
  }
  std::sort(result.pairs.begin(), result.pairs.end());
  return result;
}

std::vector<std::uint32_t> HappensBefore::before(std::uint32_t event) const {
  std::vector<bool> needed(events(), false);
  needed[event] = true;
  for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
    const auto after = next(*it);
    work_.spend(1 + after.size());
    if (std::any_of(after.begin(), after.end(), [&](std::uint32_t e) { return needed[e]; })) needed[*it] = true;
  }
  std::vector<bool> begun(network_.actions.size(), false);
  for (std::uint32_t a = 0; a < begun.size(); ++a) begun[a] = needed[begin(a)];
  std::vector<std::uint32_t> result;
  for (const std::uint32_t e : order_) {
    const std::uint32_t action = action_of(e);
    if (begun[action] && e == end(action)) result.push_back(action);
  }
  return result;
}

}  // namespace quadrille::programs
