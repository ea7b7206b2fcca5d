#include "verifier/checker/flights.h"

#include <algorithm>
#include <array>

namespace quadrille::checker {
namespace {

constexpr std::size_t block_rows = 32;

}  // namespace

Flights::Flights(Pass pass, Bits& suspects)
    : pass_(pass),
      channels_(pass.table.fabric.all_channels()),
      processors_(pass.table.fabric.processors()),
      flights_(pass.table.collective.chunk_ids(), pass.table.fabric.nodes(), pass.budget),
      step_limit_(FlightTable::step_limit(pass.table.collective.chunk_ids(), pass.table.fabric.nodes())),
      started_(pass.table.collective.chunk_ids(), pass.budget),
      suspects_(suspects),
      some_left_out_(suspects.count() > 0) {
  for (const Channel& channel : channels_) start_lanes_ += channel.from.value < processors_ ? channel.capacity : 0;
}

bool Flights::suits(const SendTable& table, const Budget& budget) {
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

// In blocks: while one is worked on, the entries of the next are on their way into the cache.
void Flights::step(const StepRows& batch) {
  if (batch.step.value > step_limit_) overflown_ = true;
  if (overflown_) return;
  may_start_ = std::min<std::uint64_t>(batch.rows.size(), start_lanes_);
  flights_.reserve(may_start_);
  std::array<std::array<std::size_t, block_rows>, 2> homes;
  const auto block_at = [&](std::size_t begin) {
    return batch.rows.subspan(begin, std::min(block_rows, batch.rows.size() - begin));
  };
  const auto fetch = [&](std::size_t begin) {
    std::size_t* home = homes[begin / block_rows % 2].data();
    for (const Row& row : block_at(begin)) {
      *home = flights_.home(row.chunk.value);
      flights_.prefetch(*home++);
    }
  };
  fetch(0);
  for (std::size_t begin = 0; begin < batch.rows.size(); begin += block_rows) {
    if (begin + block_rows < batch.rows.size()) fetch(begin + block_rows);
    block(block_at(begin), homes[begin / block_rows % 2].data(), batch.step.value);
  }
}

void Flights::block(std::span<const Row> rows, const std::size_t* homes, std::uint32_t step) {
  for (const Row& row : rows) {
    const std::size_t home = *homes++;
    if (some_left_out_ && suspects_.test(row.chunk.value)) continue;
    const Channel& channel = channels_[row.channel.value];
    if (channel.from.value < processors_) {
      start(row, channel, step);
    } else {
      move(row, channel, home, step);
    }
  }
}

// A row out of a processor: the chunk must start there, now.
void Flights::start(const Row& row, const Channel& channel, std::uint32_t step) {
  const bool starts = pass_.table.collective.starts_at(row.chunk, channel.from) && started_.set(row.chunk.value);
  if (!starts || may_start_ == 0) return suspect(row.chunk);
  --may_start_;
  if (channel.to.value >= processors_) {
    flights_.insert({row.chunk.value, channel.to.value, step});
  } else if (!wanted(row.chunk, channel.to)) {
    suspect(row.chunk);
  }
}

// A row out of a switch: the packet must be there.
inline void Flights::move(const Row& row, const Channel& channel, std::size_t home, std::uint32_t step) {
  const std::size_t slot = flights_.find(row.chunk.value, home);
  if (slot == FlightTable::nowhere) return suspect(row.chunk);
  const Flight flight = flights_.at(slot);
  if (flight.node != channel.from.value || flight.arrival >= step) return suspect(row.chunk);
  if (flight.arrival + 1 < step) record_wait(row, flight, step);
  if (channel.to.value >= processors_) {
    flights_.put(slot, {row.chunk.value, channel.to.value, step});
    return;
  }
  flights_.erase(slot);
  if (!wanted(row.chunk, channel.to)) suspect(row.chunk);
}

[[gnu::noinline]] void Flights::record_wait(const Row& row, const Flight& flight, std::uint32_t step) {
  pass_.queues.hold(NodeId{flight.node}, flight.arrival + 1, step);
  pass_.queues.wait(row.channel, flight.arrival + 1, step);
}

bool Flights::wanted(ChunkId chunk, NodeId processor) const {
  return pass_.table.collective.demand(chunk, processor).has_value();
}

bool Flights::has_delivered(ChunkId chunk) const {
  return started_.test(chunk.value) && flights_.find(chunk.value, flights_.home(chunk.value)) == FlightTable::nowhere;
}

void Flights::finish() {
  flights_.each(
      [&](const Flight& flight) { add_lost(pass_, ChunkId{flight.chunk}, NodeId{flight.node}, flight.arrival); });
}

}  // namespace quadrille::checker
