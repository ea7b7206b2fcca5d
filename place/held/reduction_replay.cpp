// A send says which contributions it wants sent, and whether the arrival is kept; a table names partial reductions by
// their numbers. Reductions are therefore replayed while the rows are made, or read.
//
// For example, in an exclusive prefix among three, after `send 0 -> 1 keeping` in step 1, processor 1 has the partial
// reductions {1} and {0}: `send 1 -> 2 carrying sum {0..1} keeping` becomes a row that sends partial reductions 1 and
// 0, to be kept. Cost: rows · log(rows), and the intervals of the sets. Memory: all partial reductions, and the packets
// on their way.
#include "place/held/reduction_replay.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/text/evaluation_error.h"
#include "place/held/sum_choice.h"

namespace quadrille {

StatedReduction said_of(const SentReduction& sent) {
  return {sent.sum, {}, sent.keeping ? Arrival::kept : Arrival::joined, sent.span};
}

std::span<const ReductionUse> ReductionReplay::step(const StepRows& rows, std::span<const StatedReduction> said) {
  rows_ = rows;
  said_ = said;
  uses_.assign(rows.rows.size(), {});
  left_.clear();
  list_moves();
  // All departures before all arrivals, each in the order of channels and lanes: the last one counts where one of them
  // must, and switches that forward serve in this order.
  std::stable_sort(moves_.begin(), moves_.end(), [](const PacketMove& a, const PacketMove& b) {
    return std::tie(a.last.channel, a.last.lane) < std::tie(b.last.channel, b.last.lane);
  });
  carried_.assign(rows.rows.size(), {});
  for (PacketMove& move : moves_) {
    move.carried = move.message->joins() ? joined_on_path(*move.message, move.packet) : picked_up(move.departs);
    carried_[move.departs] = move.carried;
  }
  in_switches_.end_departures();
  for (const PacketMove& move : moves_) put_down(move);
  join_all();
  if (collective_.ordered()) count_gaps();
  settle_alike();
  return uses_;
}

void ReductionReplay::list_moves() {
  moves_.clear();
  for (const Message& message : messages_.read(rows_)) {
    const Message::End& to = message.to.front();
    for (std::uint32_t packet = 0; packet < message.packets; ++packet) {
      const std::uint32_t departs = message.row(packet, message.from.front().hop);
      const std::uint32_t arrives = message.row(packet, to.hop);
      const Row& last = rows_.rows[arrives];
      moves_.push_back({&message, packet, departs, arrives, to.node, collective_.name(last.chunk), last, {}});
    }
  }
}

// --- departures ----------------------------------------------------------------------------------------------------

ContributionSet ReductionReplay::joined_on_path(const Message& message, std::uint32_t packet) {
  const auto join = [&](NodeId, std::vector<BroughtReduction>& brought) {
    ContributionSet joined;
    join_in_order(
        brought, collective_, work_, [&](const BroughtReduction&) -> ContributionSet& { return joined; },
        [&](const BroughtReduction&) { ++faults_; });
    return joined;
  };
  return joined_along(
      message, packet, rows_, fabric_, [&](std::uint32_t row) { return picked_up(row); }, join);
}

ContributionSet ReductionReplay::picked_up(std::uint32_t row) {
  const ChunkName name = collective_.name(rows_.rows[row].chunk);
  const NodeId from = sender(row);
  if (name.origin == from.value) return from_reductions(row, name);
  if (is_switch(from) && !in_switches_.copy()) {
    if (fabric_.switches_reduce()) left_.push_back(row);
    const ContributionSet* there = in_switches_.leave(from, rows_.rows[row].chunk);
    return there == nullptr ? ContributionSet() : *there;
  }
  const auto found = brought_.find({rows_.rows[row].chunk.value, from});
  return found == brought_.end() ? ContributionSet() : found->second;
}

ContributionSet ReductionReplay::from_reductions(std::uint32_t row, const ChunkName& name) {
  const NodeId processor(name.origin);
  const StatedReduction& said = said_[row];
  uses_[row].sent.assign(said.named.begin(), said.named.end());
  if (!said.sum.empty()) {
    const std::vector<ContributionSet> there = held_.all(name.part, processor);
    auto chosen = making_up(there, said.sum, collective_.idempotent());
    if (!chosen) {
      std::string all;
      for (const ContributionSet& each : there) all += fmt::format("{}{}", all.empty() ? "" : ", ", each.text());
      fail(said.span,
           fmt::format("processor {} has no words that make up {} of value {} when {} {} begins; it has {}",
                       name.origin, said.sum.text(), name.part, step_or_round(), rows_.step.value, all),
           Code::value);
    }
    uses_[row].sent = std::move(*chosen);
  }
  if (uses_[row].sent.empty()) return held_.at(name.part, processor);
  return held_.chained(name.part, processor, uses_[row].sent).made;
}

// --- arrivals ------------------------------------------------------------------------------------------------------

void ReductionReplay::put_down(const PacketMove& move) {
  const PacketAt place{move.last.chunk.value, move.to};
  if (is_switch(move.to) && fabric_.switches_forward()) {
    *in_switches_.arrive(move.to, move.last.chunk).first = move.carried;
  } else if (is_switch(move.to) && fabric_.switches_reduce()) {
    to_switches_.push_back({move.last, 0, move.carried});
  } else if (move.to.value != move.name.origin) {
    brought_[place] = move.carried;
  }
}

// Joins all arrivals in the order of the smallest contribution, channel, lane, packet, and then message.
void ReductionReplay::join_all() {
  for (const PacketMove& move : moves_) {
    if (move.name.target == move.to.value) uses_[move.arrives].arrival = said_[move.arrives].arrival;
  }
  std::erase_if(moves_, [](const PacketMove& move) { return move.carried.empty(); });
  std::stable_sort(moves_.begin(), moves_.end(), [](const PacketMove& a, const PacketMove& b) {
    return std::tuple(a.carried.smallest(), a.last.channel, a.last.lane, a.last.chunk) <
           std::tuple(b.carried.smallest(), b.last.channel, b.last.lane, b.last.chunk);
  });
  for (const PacketMove& move : moves_) {
    if (move.name.target != move.to.value) continue;
    Arrival& arrival = uses_[move.arrives].arrival;
    const Arrival became = held_.arrive(move.name.part, move.to, move.carried, arrival);
    if (arrival == Arrival::joined) arrival = became;
    faults_ += became == Arrival::joined ? 1 : 0;
  }
  const auto into = [&](const BroughtReduction& it) -> ContributionSet& {
    return *in_switches_.arrive(fabric_.channel(it.row.channel).to, it.row.chunk).first;
  };
  join_in_order(to_switches_, collective_, work_, into, [&](const BroughtReduction&) { ++faults_; });
  to_switches_.clear();
}

void ReductionReplay::count_gaps() {
  for (const PacketMove& move : moves_) {
    if (move.name.target == move.to.value && held_.at(move.name.part, move.to).has_gap()) ++faults_;
  }
  for (const std::uint32_t row : left_) faults_ += carried_[row].has_gap() ? 1 : 0;
}

// Makes rows alike in channel, lane, packet and message say the same, as readers require. A row may leave out whether
// its arrival is combined or replaces the partial reduction held, since that follows from the set that it brings.
void ReductionReplay::settle_alike() {
  using Alike = std::tuple<ChannelId, LaneId, ChunkId, MessageId>;
  std::map<Alike, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < rows_.rows.size(); ++i) {
    const Row& row = rows_.rows[i];
    groups[{row.channel, row.lane, row.chunk, rows_.messages.empty() ? MessageId(0) : rows_.messages[i]}].push_back(i);
  }
  const auto kept = [&](std::size_t i) { return uses_[i].arrival == Arrival::kept; };
  for (const auto& [alike, group] : groups) {
    bool same = true;
    for (const std::size_t i : group) {
      if (uses_[i].sent != uses_[group.front()].sent || kept(i) != kept(group.front())) refuse(i);
      same = same && uses_[i] == uses_[group.front()];
    }
    if (same) continue;
    for (const std::size_t i : group) uses_[i].arrival = Arrival::joined;
  }
}

void ReductionReplay::refuse(std::size_t row) const {
  fail(said_[row].span,
       fmt::format("two sends of {} across {} in {} {} share a lane, and say different things of words",
                   collective_.label(rows_.rows[row].chunk), fabric_.name(rows_.rows[row].channel), step_or_round(),
                   rows_.step.value),
       Code::invalid);
}

}  // namespace quadrille
