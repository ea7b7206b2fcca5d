// Idea: open addressing with linear probing over 64-bit slots; erasing shifts the entries behind the gap back, so that
// no tombstones slow down later searches.
//
//   slots 4, 5, 6 hold a, b, c, whose homes are 4, 4, 6; erasing a moves b to slot 4 and leaves c, whose home lies
//   after the gap; slot 5 is free
//
// Cost: a few probes each, since at most half of the slots are used; growing copies all entries.
#include "verifier/checker/rows/flight_table.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace quadrille::checker {
namespace {

// Bits for the numbers 0 … count: one more than is needed, so that no entry is all ones.
unsigned bits_for(std::uint64_t count) { return static_cast<unsigned>(std::bit_width(count)); }

}  // namespace

FlightTable::FlightTable(std::uint64_t chunks, std::uint32_t nodes, Budget& budget)
    : step_bits_(64 - bits_for(chunks) - bits_for(nodes)),
      chunk_shift_(64 - bits_for(chunks)),
      step_mask_((std::uint64_t{1} << step_bits_) - 1),
      node_mask_((std::uint64_t{1} << bits_for(nodes)) - 1),
      slots_(&budget) {
  allot(1024);
}

std::uint32_t FlightTable::step_limit(std::uint64_t chunks, std::uint32_t nodes) {
  const unsigned taken = bits_for(chunks) + bits_for(nodes);
  if (chunks == 0 || taken >= 64) return 0;
  return static_cast<std::uint32_t>((std::uint64_t{1} << std::min(64 - taken, 32U)) - 1);
}

void FlightTable::allot(std::size_t slots) {
  slots_.assign(slots, none);
  mask_ = slots - 1;
  shift_ = 64 - static_cast<unsigned>(std::countr_zero(slots));
}

void FlightTable::reserve(std::uint64_t more) {
  std::size_t slots = slots_.size();
  while ((size_ + more) * 2 > slots) slots *= 2;
  if (slots == slots_.size()) return;
  std::pmr::vector<std::uint64_t> old(slots_.get_allocator());
  old.swap(slots_);
  allot(slots);
  for (const std::uint64_t word : old) {
    if (word == none) continue;
    std::size_t slot = home(word >> chunk_shift_);
    while (slots_[slot] != none) slot = (slot + 1) & mask_;
    slots_[slot] = word;
  }
}

void FlightTable::insert(const ChunkInFlight& flight) {
  std::size_t slot = home(flight.chunk);
  while (slots_[slot] != none) slot = (slot + 1) & mask_;
  slots_[slot] = (flight.chunk << chunk_shift_) + packed_node(flight.node) + flight.arrival;
  ++size_;
}

// Closes the gap: an entry further on moves into it, unless its home lies after the gap.
void FlightTable::erase(std::size_t slot) {
  std::size_t gap = slot;
  for (std::size_t at = (gap + 1) & mask_; slots_[at] != none; at = (at + 1) & mask_) {
    const std::size_t from_home = (at - home(slots_[at] >> chunk_shift_)) & mask_;
    const std::size_t from_gap = (at - gap) & mask_;
    if (from_home < from_gap) continue;
    slots_[gap] = slots_[at];
    gap = at;
  }
  slots_[gap] = none;
  --size_;
}

}  // namespace quadrille::checker
