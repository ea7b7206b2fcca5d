// FlightTable: the packets in flight, eight bytes each: open addressing by chunk, at most half full, without
// tombstones.
//
// A slot holds chunk, node and arrival step side by side in 64 bits; how many bits each has is the table's choice.
// Small slots, and fetching them ahead, are what makes the checker fast: a large table is looked up at random, once for
// every row. tsl::robin_map takes 4.2 times as long (tests/bench/bench_tables.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "model/containers/packet_table.h"
#include "verifier/checker/rows/budget.h"

namespace quadrille::checker {

// A chunk in flight: where it is, and the step in which it came there.
struct ChunkInFlight {
  std::uint64_t chunk = 0;
  std::uint32_t node = 0;
  std::uint32_t arrival = 0;
};

class FlightTable {
 public:
  static constexpr std::size_t nowhere = ~std::size_t{0};

  // For chunks 0 … chunks-1 and nodes 0 … nodes-1; the bits that are left hold steps. Requires step_limit() > 0 of
  // them.
  FlightTable(std::uint64_t chunks, std::uint32_t nodes, Budget& budget);

  // The largest step that fits a slot beside such chunks and nodes; 0 if none does.
  static std::uint32_t step_limit(std::uint64_t chunks, std::uint32_t nodes);

  std::size_t size() const { return size_; }

  // Makes room for `more` entries. May throw OverBudget.
  void reserve(std::uint64_t more);

  // Where the search for a chunk begins; it stays the same until the next reserve().
  std::size_t home(std::uint64_t chunk) const { return static_cast<std::size_t>(spread(chunk) >> shift_); }

  // The slot of the chunk, looked for from its home; nowhere if it has none.
  std::size_t find(std::uint64_t chunk, std::size_t home) const {
    for (std::size_t slot = home;; slot = (slot + 1) & mask_) {
      if (slots_[slot] >> chunk_shift_ == chunk) return slot;
      if (slots_[slot] == none) return nowhere;
    }
  }

  // The slots as a hot loop wants them: a copy of it can stay in registers. Valid until the next reserve().
  //
  // A slot's content is made of three parts that are added up: packed(chunk, node, arrival) = chunk << chunk_shift +
  // packed_node(node) + arrival. So the commonest question, "is this chunk at this node since this step?", is one
  // comparison.
  struct View {
    std::uint64_t* slots;
    std::size_t mask;
    unsigned shift;
    unsigned chunk_shift;

    std::size_t home(std::uint64_t chunk) const { return static_cast<std::size_t>(spread(chunk) >> shift); }
    // The slot with just this content, looked for from the chunk's home; nowhere if the chunk's slot holds other
    // content.
    std::size_t find(std::uint64_t packed, std::size_t home) const {
      for (std::size_t slot = home;; slot = (slot + 1) & mask) {
        if (slots[slot] == packed) return slot;
        if (slots[slot] == none) return nowhere;
      }
    }
  };
  View view() { return {slots_.data(), mask_, shift_, chunk_shift_}; }
  std::uint64_t packed_node(std::uint32_t node) const { return std::uint64_t{node} << step_bits_; }

  ChunkInFlight at(std::size_t slot) const {
    const std::uint64_t word = slots_[slot];
    return {word >> chunk_shift_, static_cast<std::uint32_t>(word >> step_bits_ & node_mask_),
            static_cast<std::uint32_t>(word & step_mask_)};
  }

  // Requires that the chunk has no slot, and reserved room.
  void insert(const ChunkInFlight& flight);
  // Empties a slot. Other entries may move.
  void erase(std::size_t slot);

  // Calls visit(flight) for every entry, in no useful order.
  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
      if (slots_[slot] != none) visit(at(slot));
    }
  }

 private:
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  void allot(std::size_t slots);

  unsigned step_bits_;
  unsigned chunk_shift_;  // the bits of node and step
  std::uint64_t step_mask_;
  std::uint64_t node_mask_;
  std::pmr::vector<std::uint64_t> slots_;
  std::size_t mask_ = 0;
  unsigned shift_ = 0;
  std::size_t size_ = 0;
};

}  // namespace quadrille::checker
