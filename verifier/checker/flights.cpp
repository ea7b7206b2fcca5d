// Idea and cost: flights.h. The expected row leaves a switch in the step after the arrival, so that its packet is found
// by one comparison of a packed slot; all that is less common is kept out of the loop.
//
//   total exchange, packet 0->1 through the switch s:
//   step 1, 0->s: 0 starts it, so the entry (0->1, s, 1) is made
//   step 2, s->1: the slot holds just (0->1, s, 1), and 1 wants it: the entry goes, the demand is met
//   in step 4 instead: found by chunk alone; it has waited at s in steps 2 and 3
//   0->s once more: 0->1 has been started before, so it is a suspect, and the table is read again
#include "verifier/checker/flights.h"

#include <algorithm>
#include <array>

namespace quadrille::checker {
namespace {

constexpr std::size_t ahead = 32;  // rows whose slots are on their way into the cache

}  // namespace

SingleTargets::SingleTargets(Pass pass, Bits& suspects)
    : pass_(pass),
      channels_(pass.table.fabric.all_channels()),
      processors_(pass.table.fabric.processors()),
      flights_(pass.table.collective.chunk_ids(), pass.table.fabric.nodes(), pass.budget),
      first_switch_(flights_.packed_node(pass.table.fabric.processors())),
      step_limit_(FlightTable::step_limit(pass.table.collective.chunk_ids(), pass.table.fabric.nodes())),
      started_(pass.table.collective.chunk_ids(), pass.budget),
      suspects_(suspects),
      some_left_out_(suspects.count() > 0) {
  ends_.reserve(channels_.size());
  for (const Channel& channel : channels_) {
    start_lanes_ += channel.from.value < processors_ ? channel.capacity : 0;
    ends_.push_back({flights_.packed_node(channel.from.value), flights_.packed_node(channel.to.value)});
  }
}

bool SingleTargets::suits(const SendTable& table, const Budget& budget) {
  const Collective& collective = table.collective;
  if (collective.combining() || !collective.unicast()) return false;
  if (Bits::bytes_for(collective.chunk_ids()) > budget.left() / 4) return false;
  const std::uint32_t last_step = table.rows->last_step().value_or(StepId{1}).value;
  if (FlightTable::step_limit(collective.chunk_ids(), table.fabric.nodes()) < std::max(last_step, 1U)) return false;
  for (std::uint32_t processor = 0; processor < table.fabric.processors(); ++processor) {
    if (table.fabric.channels_from(NodeId{processor}).size() > 1) return false;
  }
  return true;
}

void SingleTargets::step(const StepRows& batch) {
  if (batch.step.value > step_limit_) overflown_ = true;
  if (overflown_) return;
  const std::span<const Row> rows = batch.rows;
  may_start_ = std::min<std::uint64_t>(rows.size(), start_lanes_);
  flights_.reserve(may_start_);
  // With this much room the slots are not replaced during the step, so that the view stays valid.
  const FlightTable::View view = flights_.view();
  // A ring of homes: a slot is fetched into the cache `ahead` rows before its row is looked at.
  std::array<std::size_t, ahead> homes;  // of the rows index … index + ahead - 1
  const auto fetch = [&homes, view, rows](std::size_t index) {
    const std::size_t home = view.home(rows[index].chunk.value);
    homes[index % ahead] = home;
    __builtin_prefetch(&view.slots[home], 1);
  };
  for (std::size_t index = 0; index < std::min(ahead, rows.size()); ++index) fetch(index);
  const Ends* const ends = ends_.data();
  for (std::size_t index = 0; index < rows.size(); ++index) {
    look_at_limits(pass_.limits, index);
    const std::size_t home = homes[index % ahead];
    if (index + ahead < rows.size()) fetch(index + ahead);
    if (some_left_out_ && suspects_.test(rows[index].chunk.value)) continue;
    follow(rows[index], ends[rows[index].channel.value], view, home, batch.step.value);
  }
}

inline void SingleTargets::follow(const Row& row, Ends ends, FlightTable::View view, std::size_t home,
                                  std::uint32_t step) {
  if (ends.from < first_switch_) return start(row, step);
  const std::uint64_t chunk = row.chunk.value << view.chunk_shift;
  // The common case: the packet came here in the step before.
  std::size_t slot = view.find(chunk + ends.from + (step - 1), home);
  if (slot == FlightTable::nowhere) slot = find_late(row, home, step);
  if (slot == FlightTable::nowhere) return suspect(row.chunk);
  if (ends.to < first_switch_) return land(row, slot);
  view.slots[slot] = chunk + ends.to + step;
}

// A row into a processor, of the packet at this slot: it must be wanted there.
[[gnu::noinline]] void SingleTargets::land(const Row& row, std::size_t slot) {
  flights_.erase(slot);
  if (!wanted(row.chunk, channels_[row.channel.value].to)) suspect(row.chunk);
}

// A row out of a processor: the chunk must start there, now.
[[gnu::noinline]] void SingleTargets::start(const Row& row, std::uint32_t step) {
  const Channel& channel = channels_[row.channel.value];
  const bool starts = pass_.table.collective.starts_at(row.chunk, channel.from) && started_.set(row.chunk.value);
  if (!starts || may_start_ == 0) return suspect(row.chunk);
  --may_start_;
  if (channel.to.value >= processors_) {
    flights_.insert({row.chunk.value, channel.to.value, step});
  } else if (!wanted(row.chunk, channel.to)) {
    suspect(row.chunk);
  }
}

// The slot of a packet that leaves a switch where it has waited; the wait is recorded. Nowhere if it is not there.
[[gnu::noinline]] std::size_t SingleTargets::find_late(const Row& row, std::size_t home, std::uint32_t step) {
  const std::size_t slot = flights_.find(row.chunk.value, home);
  if (slot == FlightTable::nowhere) return slot;
  const ChunkInFlight flight = flights_.at(slot);
  const NodeId from = channels_[row.channel.value].from;
  if (flight.node != from.value || flight.arrival >= step) return FlightTable::nowhere;
  pass_.queues.hold(from, flight.arrival + 1, step);
  pass_.queues.wait(row.channel, flight.arrival + 1, step);
  return slot;
}

bool SingleTargets::wanted(ChunkId chunk, NodeId processor) const {
  return pass_.table.collective.demand(chunk, processor).has_value();
}

bool SingleTargets::has_delivered(ChunkId chunk) const {
  return started_.test(chunk.value) && flights_.find(chunk.value, flights_.home(chunk.value)) == FlightTable::nowhere;
}

void SingleTargets::finish() {
  flights_.each([&](const ChunkInFlight& flight) {
    add_lost(pass_, ChunkId{flight.chunk}, NodeId{flight.node}, flight.arrival);
  });
}

}  // namespace quadrille::checker
