// Idea and cost: forwarding.h.
#include "verifier/checker/forwarding.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "verifier/checker/copies.h"

namespace quadrille::checker {

void put_in_order(std::span<const Move> moves, const Limits& limits, std::vector<std::uint32_t>& order) {
  order.resize(moves.size());
  std::iota(order.begin(), order.end(), 0U);
  std::uint64_t compared = 0;
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    look_at_limits(limits, compared++);
    const Move& one = moves[a];
    const Move& other = moves[b];
    return std::tie(one.channel, one.lane, one.chunk, a) < std::tie(other.channel, other.lane, other.chunk, b);
  });
}

bool Forwarding::take(const StepRows& batch, const Move& move, Copy& taken) {
  const NodeId at = move.from;
  Ends* ends = queues_.find({move.chunk.value, at.value});
  if (ends == nullptr || ends->first == 0) {
    add_causal(pass_, batch, move.row, at,
               [] { return std::string(": a switch forwards a packet as often as it came"); });
    return false;
  }
  const std::uint32_t number = ends->first;
  taken = std::exchange(pool_[number], Copy{0, free_, nullptr});
  free_ = number;
  ends->first = taken.next;
  Stay stay{taken.arrival, 0};
  leave_switch(pass_, stay, move.channel, at, batch.step.value);
  return true;
}

void Forwarding::bring(ChunkId chunk, NodeId at, std::uint32_t step, ContributionsRef set) {
  const std::uint32_t number = new_copy();
  pool_[number] = {step, 0, std::move(set)};
  Ends& ends = *queues_.insert({chunk.value, at.value}).first;
  (ends.first == 0 ? ends.first : pool_[ends.last].next) = number;
  ends.last = number;
}

std::uint32_t Forwarding::new_copy() {
  if (free_ != 0) return std::exchange(free_, pool_[free_].next);
  if (pool_.size() == std::numeric_limits<std::uint32_t>::max()) throw OverBudget{};
  if (pool_.size() == pool_.capacity()) {
    share_.add(2 * pool_.size() * sizeof(Copy));  // a growing vector holds both copies for a while
    pool_.reserve(2 * pool_.size());
  }
  pool_.emplace_back();
  return static_cast<std::uint32_t>(pool_.size() - 1);
}

}  // namespace quadrille::checker
