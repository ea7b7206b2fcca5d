// The difference of resident memory and a floor, at least 0: memory that was freed meanwhile is not credited.
#include "model/limits/memory_use.h"

#include <algorithm>
#include <utility>

#include "model/limits/resident_memory.h"

namespace quadrille {
namespace {

constexpr std::uint64_t allowance = std::uint64_t{16} << 20;  // bytes; not counted

std::uint64_t floor_of(const Limits& limits) {
  return limits.memory_floor != 0 ? limits.memory_floor : memory_floor_now();
}

}  // namespace

std::uint64_t memory_floor_now() { return resident_memory() + allowance; }

Limits sharing_memory(Limits limits) {
  limits.memory_floor = floor_of(limits);
  return limits;
}

MemoryUse::MemoryUse(const Limits& limits) : limit_(limits.memory), floor_(floor_of(limits)) {}

std::uint64_t MemoryUse::used() const {
  const std::uint64_t now = resident_memory();
  return now - std::min(now, floor_);
}

std::uint64_t MemoryUse::room() const { return limit_ - std::min(limit_, used()); }

}  // namespace quadrille
