// The ceiling is a number, 0 until it is set. Memory that the heap has freed but kept counts as resident. It is given
// back (malloc_trim) before anything is refused, which takes some milliseconds a GiB, and happens at the ceiling
// only.
#include "model/limits/memory_ceiling.h"

#include <atomic>

#include "model/limits/resident_memory.h"

namespace quadrille {
namespace {

// Bytes that do not count. Of the 32 MiB that the program may take beside its limit, its code takes some 14, and the
// allocations of two threads between looks, and the heap's own holes, the rest.
constexpr std::uint64_t allowance = std::uint64_t{10} << 20;

struct Ceiling {
  std::atomic<std::uint64_t> floor = 0;  // resident without counting
  std::atomic<std::uint64_t> bytes = 0;  // beyond that; 0: there is no ceiling
  std::atomic<bool> taken = false;       // the bytes, at the last look
};

Ceiling& ceiling() {
  static Ceiling of_the_process;
  return of_the_process;
}

bool within(std::uint64_t most, std::uint64_t more, std::uint64_t now) { return more <= most && now <= most - more; }

std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

// Resident memory; whether that is what may be taken is kept.
std::uint64_t look() {
  const std::uint64_t now = resident_memory();
  ceiling().taken = !within(sum(ceiling().floor, ceiling().bytes), 0, now);
  return now;
}

// Whether there may be so many more; if not, once more when what was freed is given back.
bool within_at_last(std::uint64_t most, std::uint64_t more) {
  if (within(most, more, look())) return true;
  return_freed_memory();
  return within(most, more, look());
}

}  // namespace

const char* OverMemoryCeiling::what() const noexcept { return "this needs more memory than the limit"; }

void set_memory_ceiling(std::uint64_t bytes) {
  ceiling().floor = resident_memory() + allowance;
  ceiling().bytes = bytes;
  ceiling().taken = false;
}

bool below_memory_ceiling(std::uint64_t bytes) {
  const std::uint64_t most = ceiling().bytes;
  return most == 0 || within_at_last(sum(sum(ceiling().floor, most), most / 10), bytes);
}

bool memory_is_taken() {
  const std::uint64_t most = ceiling().bytes;
  return most != 0 && !within_at_last(sum(ceiling().floor, most), 0);
}

bool memory_was_taken() { return ceiling().taken.load(std::memory_order_relaxed); }

std::string_view why_no_memory(const std::bad_alloc& refusal) {
  const bool ours = dynamic_cast<const OverMemoryCeiling*>(&refusal) != nullptr;
  return ours ? "this needs more memory than the limit" : "the machine has no memory left";
}

}  // namespace quadrille
