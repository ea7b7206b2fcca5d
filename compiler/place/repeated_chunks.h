// RepeatedChunks: whether several transfers may be of one chunk. Where none is, nobody waits for an arrival: there may
// be millions of such chunks, and what is not remembered of them need not be looked up.
//
// Two bits for each transfer and some to spare, found by the chunk's number: that some chunk with these bits has come,
// and that one came again. So chunks may be taken for one another, and then `maybe` says yes, which is safe.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/ids.h"

namespace quadrille {

class RepeatedChunks {
 public:
  // For so many transfers.
  explicit RepeatedChunks(std::size_t transfers)
      : words_(std::bit_ceil(transfers / (64 / bits_each) + 1)), once_(words_), again_(words_) {}

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

}  // namespace quadrille
