// The difference of two looks at resident memory, held at 0: memory that was freed meanwhile is no debt.
#include "model/memory_use.h"

#include <algorithm>

#include "model/resident_memory.h"

namespace quadrille {
namespace {

constexpr std::uint64_t allowance = std::uint64_t{16} << 20;  // bytes; not counted

}  // namespace

MemoryUse::MemoryUse(std::uint64_t limit) : limit_(limit), at_start_(resident_memory()) {}

std::uint64_t MemoryUse::used() const {
  const std::uint64_t now = resident_memory();
  return now - std::min(now, at_start_ + allowance);
}

std::uint64_t MemoryUse::room() const { return limit_ - std::min(limit_, used()); }

}  // namespace quadrille
