// Accounts for time and memory. spend() counts units and looks at the clock every 2^16 of them. do_allocate() counts
// what malloc takes for a block (32 bytes for 24 that are requested). So a limit is met within some tenths of a
// millisecond, and before the memory is taken. Cost: a comparison and an addition for each call.
#include "model/limits/work.h"

#include <algorithm>

#include "model/limits/memory_ceiling.h"

namespace quadrille {
namespace {

constexpr std::uint64_t units_between_looks = std::uint64_t{1} << 16;  // at the clock: some tenths of a millisecond
constexpr std::uint64_t looks_between_measures = 8;                    // of the process's memory: 5 µs

// What malloc takes for a block: a head of 8 bytes, in sixteens, and 32 at least.
std::uint64_t block_size(std::uint64_t bytes) { return std::max<std::uint64_t>(32, (bytes + 23) / 16 * 16); }

[[noreturn]] void end_without_memory(const Limits& limits) {
  limits.tell(Reason::limit);
  throw Ended{Reason::limit};
}

}  // namespace

void Work::look() {
  if (const Reason reason = limits_.reached(); reason != Reason::none) throw Ended{reason};
  if (++looks_ % looks_between_measures == 0 && memory_is_taken()) end_without_memory(limits_);
  until_look_ = units_between_looks;
}

void Work::take(std::uint64_t count, std::uint64_t bytes_each) {
  if (bytes_each != 0 && count > (limits_.memory - used_) / bytes_each) end_without_memory(limits_);
  used_ += count * bytes_each;
}

void* Work::do_allocate(std::size_t bytes, std::size_t alignment) {
  const std::uint64_t size = block_size(bytes);
  take(1, size);
  try {
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  } catch (...) {
    used_ -= size;
    throw;
  }
}

void Work::do_deallocate(void* at, std::size_t bytes, std::size_t alignment) {
  used_ -= block_size(bytes);
  std::pmr::new_delete_resource()->deallocate(at, bytes, alignment);
}

}  // namespace quadrille
