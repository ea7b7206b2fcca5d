// Counting functions that the families share. Below, d' is d counted without the chunk's origin.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "model/collective_family.h"

namespace quadrille::collectives {

inline constexpr std::uint64_t most_ids = std::uint64_t{1} << 62;

// The product a·b; nothing if it is more than most_ids.
inline std::optional<std::uint64_t> product(std::optional<std::uint64_t> a, std::uint64_t b) {
  if (!a || (b != 0 && *a > most_ids / b)) return std::nullopt;
  return *a * b;
}

// Counts `number` without `left_out`, and back.
inline std::uint64_t without(std::uint64_t number, std::uint64_t left_out) {
  return number - (number > left_out ? 1 : 0);
}
inline std::uint64_t with(std::uint64_t number, std::uint64_t left_out) {
  return number + (number >= left_out ? 1 : 0);
}

inline std::uint32_t narrow(std::uint64_t number) { return static_cast<std::uint32_t>(number); }

inline std::pair<ChunkId, NodeId> pair(std::uint64_t chunk, std::uint64_t processor) {
  return {ChunkId(chunk), NodeId(narrow(processor))};
}

// Whether the name's numbers are in range, and it has a target other than its origin, or (`for_everyone`) none.
inline bool is_plausible(const CollectiveNumbers& it, const ChunkName& name, bool for_everyone) {
  if (name.part >= it.parts || name.origin >= it.n) return false;
  if (for_everyone) return !name.target;
  return name.target && *name.target < it.n && *name.target != name.origin;
}

}  // namespace quadrille::collectives
