// CopiesHeld: the arrivals of copies while the sends of a copying collective are placed one after another. No send
// leaves before the copy that it takes has come, nor before an earlier send of its processor.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "model/ids.h"
#include "place/calendar/list_schedule.h"
#include "place/flights/flights.h"
#include "place/flights/packed_table.h"

namespace quadrille {

// Whether several sends may be of one chunk. Where none is, nobody waits for an arrival: there may be millions of such
// chunks, and their arrivals need not be kept. Two bits for each send and some to spare, found by the chunk's number,
// say that some chunk with these bits has come, and that one came again. So chunks may be taken for one another, and
// then `maybe` says yes, which is safe.
class RepeatedChunks {
 public:
  // For so many sends.
  explicit RepeatedChunks(std::size_t sends)
      : words_(std::bit_ceil(sends / (64 / bits_each) + 1)), once_(words_), again_(words_) {}

  void add(ChunkId chunk) {
    const std::uint64_t hash = hash_of(chunk);
    const std::uint64_t bit = std::uint64_t{1} << hash % 64;
    const std::size_t word = hash / 64 & (words_ - 1);
    again_[word] |= once_[word] & bit;
    once_[word] |= bit;
  }

  bool maybe(ChunkId chunk) const {
    const std::uint64_t hash = hash_of(chunk);
    return (again_[hash / 64 & (words_ - 1)] >> hash % 64 & 1U) != 0;
  }

 private:
  static constexpr std::size_t bits_each = 8;
  static std::uint64_t hash_of(ChunkId chunk) { return (chunk.value * 0x9e3779b97f4a7c15U) >> 24U; }

  std::size_t words_;  // a power of two
  std::vector<std::uint64_t> once_;
  std::vector<std::uint64_t> again_;
};

class CopiesHeld {
 public:
  CopiesHeld(std::uint32_t processors, std::size_t sends) : repeated_(sends), last_departure_(processors, 1) {}

  // Before anything is placed: a send of that chunk. Arrivals are kept only of chunks that are sent more than once.
  void note_send(ChunkId chunk) { repeated_.add(chunk); }

  // Nothing is placed.
  void clear() {
    arrived_ = {};
    std::ranges::fill(last_departure_, 1);
  }

  // The step in which the last send that was placed left that processor; 1 if none was. None leaves before it.
  std::uint32_t last_departure(NodeId processor) const { return last_departure_[processor.value]; }

  StartBounds bounds(ChunkId chunk, NodeId source) const {
    StartBounds bounds;
    bounds.not_before(last_departure(source));
    const std::uint32_t* arrival = repeated_.maybe(chunk) ? arrived_.find({chunk.value, source.value}) : nullptr;
    if (arrival != nullptr) bounds.not_before(std::int64_t{*arrival} + 1);
    return bounds;
  }

  void leave(NodeId source, std::uint32_t step) {
    last_departure_[source.value] = std::max(last_departure_[source.value], step);
  }

  void arrive(ChunkId chunk, NodeId processor, std::uint32_t step) {
    if (!repeated_.maybe(chunk)) return;
    std::uint32_t& first = arrived_.insert({chunk.value, processor.value}, step).first;
    first = std::min(first, step);
  }

 private:
  RepeatedChunks repeated_;
  PackedTable<std::uint32_t> arrived_;         // the first arrival
  std::vector<std::uint32_t> last_departure_;  // by processor
};

// Whether every flight leaves after the copy that it takes has come, where an earlier flight of the list brings one.
// Cost: hops.
bool copies_come_in_time(const Flights& flights, const Fabric& fabric, const Collective& collective);

}  // namespace quadrille
