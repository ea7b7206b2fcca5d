// ChunkAt names a chunk at a processor, as a key of hash tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace quadrille {

struct ChunkAt {
  std::uint64_t chunk = 0;
  std::uint32_t processor = 0;
  bool operator==(const ChunkAt&) const = default;
};

struct HashChunkAt {
  std::size_t operator()(const ChunkAt& c) const {
    std::uint64_t x = (c.chunk * 0x9e3779b97f4a7c15ULL) ^ (std::uint64_t{c.processor} * 0xff51afd7ed558ccdULL);
    x ^= x >> 32U;
    return static_cast<std::size_t>(x);
  }
};

template <class Value>
using ByChunkAt = std::unordered_map<ChunkAt, Value, HashChunkAt>;

}  // namespace quadrille
