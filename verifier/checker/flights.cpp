#include "verifier/checker/flights.h"

#include <bit>
#include <utility>

#include "verifier/checker/pair_table.h"

namespace quadrille::checker {

FlightTable::FlightTable(Budget& budget) : share_(budget) { allot(1024); }

std::size_t FlightTable::home(std::uint64_t chunk) const { return static_cast<std::size_t>(spread(chunk) >> shift_); }

void FlightTable::allot(std::size_t slots) {
  share_.add(slots * sizeof(Flight));
  slots_ = std::vector<Flight>(slots);
  mask_ = slots - 1;
  shift_ = 64 - static_cast<unsigned>(std::countr_zero(slots));
}

void FlightTable::insert(const Flight& flight) {
  if (size_ * 2 >= slots_.size()) grow();
  std::size_t at = home(flight.chunk);
  while (slots_[at].chunk != none) at = (at + 1) & mask_;
  slots_[at] = flight;
  ++size_;
}

// Closes the gap: an entry further on moves into it, unless its home lies after the gap.
void FlightTable::erase(Flight* flight) {
  std::size_t gap = static_cast<std::size_t>(flight - slots_.data());
  for (std::size_t at = (gap + 1) & mask_; slots_[at].chunk != none; at = (at + 1) & mask_) {
    const std::size_t from_home = (at - home(slots_[at].chunk)) & mask_;
    const std::size_t from_gap = (at - gap) & mask_;
    if (from_home < from_gap) continue;
    slots_[gap] = slots_[at];
    gap = at;
  }
  slots_[gap].chunk = none;
  --size_;
}

void FlightTable::grow() {
  const std::vector<Flight> old = std::move(slots_);
  allot(old.size() * 2);
  size_ = 0;
  for (const Flight& flight : old) {
    if (flight.chunk != none) insert(flight);
  }
  share_.remove(old.size() * sizeof(Flight));
}

Flights::Flights(Pass pass, Bits& delivered, Bits& suspects)
    : pass_(pass),
      channels_(pass.table.fabric.all_channels()),
      processors_(pass.table.fabric.processors()),
      flights_(pass.budget),
      started_(pass.table.collective.chunk_ids(), pass.budget),
      delivered_(delivered),
      suspects_(suspects),
      some_left_out_(suspects.count() > 0) {}

bool Flights::suits(const SendTable& table, const Budget& budget) {
  if (table.collective.combining() || !table.collective.unicast()) return false;
  if (Bits::bytes_for(table.collective.chunk_ids()) > budget.left() / 4) return false;
  for (std::uint32_t processor = 0; processor < table.fabric.processors(); ++processor) {
    if (table.fabric.channels_from(NodeId{processor}).size() > 1) return false;
  }
  return true;
}

void Flights::step(const StepRows& batch) {
  const std::uint32_t step = batch.step.value;
  const std::span<const Row> rows = batch.rows;
  for (std::size_t index = 0; index < rows.size(); ++index) {
    if (index + rows_ahead < rows.size()) flights_.prefetch(rows[index + rows_ahead].chunk.value);
    const Row& row = rows[index];
    if (some_left_out_ && suspects_.test(row.chunk.value)) continue;
    const Channel& channel = channels_[row.channel.value];
    if (channel.from.value < processors_) {
      start(row, channel, step);
    } else {
      move(row, channel, step);
    }
  }
}

// A row out of a processor: the chunk must start there, now.
void Flights::start(const Row& row, const Channel& channel, std::uint32_t step) {
  if (!pass_.table.collective.starts_at(row.chunk, channel.from) || !started_.set(row.chunk.value)) {
    return suspect(row.chunk);
  }
  if (channel.to.value >= processors_) {
    flights_.insert({row.chunk.value, channel.to.value, step});
  } else if (!deliver(row.chunk, channel.to)) {
    suspect(row.chunk);
  }
}

// A row out of a switch: the packet must be there.
void Flights::move(const Row& row, const Channel& channel, std::uint32_t step) {
  FlightTable::Flight* flight = flights_.find(row.chunk.value);
  if (flight == nullptr || flight->node != channel.from.value || flight->arrival >= step) return suspect(row.chunk);
  if (flight->arrival + 1 < step) {
    pass_.queues.hold(channel.from, flight->arrival + 1, step);
    pass_.queues.wait(row.channel, flight->arrival + 1, step);
  }
  if (channel.to.value >= processors_) {
    flight->node = channel.to.value;
    flight->arrival = step;
    return;
  }
  flights_.erase(flight);
  if (!deliver(row.chunk, channel.to)) suspect(row.chunk);
}

// Marks the demand met; false if there is no such demand.
bool Flights::deliver(ChunkId chunk, NodeId processor) {
  const auto demand = pass_.table.collective.demand(chunk, processor);
  return demand && delivered_.set(*demand);
}

void Flights::finish() {
  for (const FlightTable::Flight& flight : flights_.slots()) {
    if (flight.chunk != FlightTable::none) {
      add_lost(pass_, ChunkId{flight.chunk}, NodeId{flight.node}, flight.arrival);
    }
  }
}

}  // namespace quadrille::checker
