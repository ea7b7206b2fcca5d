// A send says which contributions it wants sent, and whether the arrival is kept; a table names partial reductions by
// their numbers. Reductions are therefore replayed while the rows are made, or read.
//
// For example, in an exclusive prefix among three, after `send 0 -> 1 keeping` in step 1, processor 1 has the partial
// reductions {1} and {0}: `send 1 -> 2 carrying sum {0..1} keeping` becomes a row that sends partial reductions 1 and
// 0, to be kept. Cost: rows · log(rows), and the intervals of the sets. Memory: all partial reductions, and the packets
// on their way.
#include "place/held/reduction_replay.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "model/text/evaluation_error.h"
#include "place/held/sum_choice.h"

namespace quadrille {

StatedReduction said_of(const SentReduction& sent) {
  return {sent.sum, {}, sent.keeping ? Arrival::kept : Arrival::joined, sent.span};
}

std::span<const ReductionUse> ReductionReplay::step(const StepRows& rows, std::span<const StatedReduction> said) {
  said_ = said;
  uses_.assign(rows.rows.size(), {});
  list_packets(rows, messages_.read(rows), work_, packets_);
  moved_.step(rows, packets_);
  carried_.assign(rows.rows.size(), {});
  for (std::size_t i = 0; i < packets_.size(); ++i) {
    const MovedPacket& packet = packets_[i];
    carried_[packet.departs] = moved_.carried()[i];
    const Row& last = rows.rows[packet.arrives];
    if (collective_.name(last.chunk).target != fabric_.channel(last.channel).to.value) continue;
    const Arrival stated = said_[packet.arrives].arrival;
    uses_[packet.arrives].arrival = stated == Arrival::joined ? moved_.became()[i] : stated;
  }
  settle_alike(rows);
  return uses_;
}

std::span<const std::uint32_t> ReductionReplay::sent(const StepRows& rows, std::uint32_t row) {
  const StatedReduction& said = said_[row];
  std::vector<std::uint32_t>& numbers = uses_[row].sent;
  numbers.assign(said.named.begin(), said.named.end());
  if (said.sum.empty()) return numbers;
  const ChunkName name = collective_.name(rows.rows[row].chunk);
  const std::vector<ContributionSet> there = held().all(name.part, NodeId(name.origin));
  auto chosen = making_up(there, said.sum, collective_.idempotent());
  if (!chosen) {
    std::string all;
    for (const ContributionSet& each : there) all += fmt::format("{}{}", all.empty() ? "" : ", ", each.text());
    fail(said.span,
         fmt::format("processor {} has no words that make up {} of value {} when {} {} begins; it has {}", name.origin,
                     said.sum.text(), name.part, step_or_round(), rows.step.value, all),
         Code::value);
  }
  numbers = std::move(*chosen);
  return numbers;
}

Arrival ReductionReplay::said(const StepRows& /*rows*/, std::uint32_t row) { return said_[row].arrival; }

// Packets that are not there carry nothing, and readers of carried() see that.
void ReductionReplay::fault(const StepRows& /*rows*/, const ReductionFault& fault) {
  using Kind = ReductionFault::Kind;
  const bool of_send =
      fault.kind == Kind::missing || fault.kind == Kind::twice_in_words || fault.kind == Kind::gap_in_words;
  faults_ += of_send ? 0 : 1;
}

// Makes rows alike in channel, lane, packet and message say the same, as readers require. A row may leave out whether
// its arrival is combined or replaces the partial reduction held, since that follows from the set that it brings.
void ReductionReplay::settle_alike(const StepRows& rows) {
  using Alike = std::tuple<ChannelId, LaneId, ChunkId, MessageId>;
  std::map<Alike, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    const Row& row = rows.rows[i];
    groups[{row.channel, row.lane, row.chunk, rows.messages.empty() ? MessageId(0) : rows.messages[i]}].push_back(i);
  }
  const auto kept = [&](std::size_t i) { return uses_[i].arrival == Arrival::kept; };
  for (const auto& [alike, group] : groups) {
    bool same = true;
    for (const std::size_t i : group) {
      if (uses_[i].sent != uses_[group.front()].sent || kept(i) != kept(group.front())) refuse(rows, i);
      same = same && uses_[i] == uses_[group.front()];
    }
    if (same) continue;
    for (const std::size_t i : group) uses_[i].arrival = Arrival::joined;
  }
}

void ReductionReplay::refuse(const StepRows& rows, std::size_t row) const {
  fail(said_[row].span,
       fmt::format("two sends of {} across {} in {} {} share a lane, and say different things of words",
                   collective_.label(rows.rows[row].chunk), fabric_.name(rows.rows[row].channel), step_or_round(),
                   rows.step.value),
       Code::invalid);
}

}  // namespace quadrille
