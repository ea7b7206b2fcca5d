// Needed passages: the processors that a packet only passes, and that need the copy which it leaves there. Placed on
// another fabric, the packet has to go there, too. On a ring, `send 0 -> 2` leaves a copy at 1; the passage is needed
// if 1 sends the copy on, or wants it, and gets it from nobody else in time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/collective.h"
#include "model/fabric.h"
#include "place/flights/flights.h"

namespace quadrille {

// Whether several sends may be of one chunk. Where none is, nobody waits for an arrival: there may be millions of such
// chunks, and their arrivals need not be kept. Two bits for each send and some to spare, found by the chunk's number,
// say that some chunk with these bits has come, and that one came again. So chunks may be taken for one another, and
// then `maybe` says yes, which is safe.
class RepeatedChunks {
 public:
  explicit RepeatedChunks(std::span<const Flight> sends)
      : words_(std::bit_ceil(sends.size() / (64 / bits_each) + 1)), once_(words_), again_(words_) {
    for (const Flight& send : sends) add(send.chunk);
  }

  bool maybe(ChunkId chunk) const {
    const std::uint64_t hash = hash_of(chunk);
    return (again_[hash / 64 & (words_ - 1)] >> hash % 64 & 1U) != 0;
  }

 private:
  static constexpr std::size_t bits_each = 8;
  static std::uint64_t hash_of(ChunkId chunk) { return (chunk.value * 0x9e3779b97f4a7c15U) >> 24U; }

  void add(ChunkId chunk) {
    const std::uint64_t hash = hash_of(chunk);
    const std::uint64_t bit = std::uint64_t{1} << hash % 64;
    const std::size_t word = hash / 64 & (words_ - 1);
    again_[word] |= once_[word] & bit;
    once_[word] |= bit;
  }

  std::size_t words_;  // a power of two
  std::vector<std::uint64_t> once_;
  std::vector<std::uint64_t> again_;
};

struct NeededPassage {
  std::uint32_t flight = 0;
  std::uint32_t hop = 0;  // at whose end the copy is left, from 0
  auto operator<=>(const NeededPassage&) const = default;
};

// Sorted. `flights` are over `fabric`, of a copying collective. Where several passages would do, the first one is
// named.
std::vector<NeededPassage> needed_passages(const Flights& flights, const Fabric& fabric, const Collective& collective);

}  // namespace quadrille
