// Flights: chunks with one target each, on fabrics whose processors are leaves: one entry per packet in flight.
//
// Idea: a packet that behaves is at one place at a time. The row out of the processor where it starts makes its entry
// {chunk, node, arrival}; each further row must find the entry at its own tail, with an earlier arrival, and moves it
// to its head; the row into the processor that wants it marks the demand and erases the entry. A chunk that does
// anything else (a second copy, a second start, a hop from elsewhere, a stop at another processor) may be right or
// wrong: it becomes a suspect, and the table must be read again with the suspects given to Copies.
//
// Cost: some 5 ns a row; 16 bytes for each packet in flight (32 at the table's load), three bits a chunk, one a demand.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "verifier/checker/tracker.h"

namespace quadrille::checker {

// The packets in flight: open addressing by chunk, at most half full, erasing without tombstones.
class FlightTable {
 public:
  struct Flight {
    std::uint64_t chunk = none;
    std::uint32_t node = 0;
    std::uint32_t arrival = 0;
  };
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  explicit FlightTable(Budget& budget);

  Flight* find(std::uint64_t chunk) {
    std::size_t at = home(chunk);
    while (slots_[at].chunk != chunk) {
      if (slots_[at].chunk == none) return nullptr;
      at = (at + 1) & mask_;
    }
    return &slots_[at];
  }
  void prefetch(std::uint64_t chunk) const { __builtin_prefetch(&slots_[home(chunk)], 1); }

  // Requires that the chunk has no entry. May throw OverBudget.
  void insert(const Flight& flight);
  // Requires an entry of the table. Pointers to other entries become invalid.
  void erase(Flight* flight);

  std::span<const Flight> slots() const { return slots_; }

 private:
  std::size_t home(std::uint64_t chunk) const;
  void allot(std::size_t slots);
  void grow();

  Share share_;
  std::vector<Flight> slots_;
  std::size_t mask_ = 0;
  unsigned shift_ = 0;
  std::size_t size_ = 0;
};

class Flights final : public Tracker {
 public:
  // Rows of suspects are left out; chunks that turn out to be suspects are marked.
  Flights(Pass pass, Bits& delivered, Bits& suspects);

  // Whether this tracker can serve the table: single targets, processors with at most one channel out, names that fit.
  static bool suits(const SendTable& table, const Budget& budget);

  void step(const StepRows& batch) override;
  void finish() override;

 private:
  void start(const Row& row, const Channel& channel, std::uint32_t step);
  void move(const Row& row, const Channel& channel, std::uint32_t step);
  bool deliver(ChunkId chunk, NodeId processor);
  void suspect(ChunkId chunk) { suspects_.set(chunk.value); }

  Pass pass_;
  std::span<const Channel> channels_;
  std::uint32_t processors_;
  FlightTable flights_;
  Bits started_;
  Bits& delivered_;
  Bits& suspects_;
  bool some_left_out_;
};

}  // namespace quadrille::checker
