// Asked often, answered from the last look: see watch.h. Memory is what the system says of the process, beyond what it
// had at the start: solvers and libraries do not count their own.
#include "verifier/search/watch.h"

#include <algorithm>
#include <utility>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "model/resident_memory.h"

namespace quadrille::searching {
namespace {

constexpr auto between_looks = std::chrono::milliseconds(10);

// Not counted: holes in the heap, tables that libraries make at their first use.
constexpr std::uint64_t allowance = std::uint64_t{16} << 20;  // bytes

}  // namespace

Watch::Watch(Limits limits)
    : limits_(std::move(limits)), at_start_(resident_memory()), next_look_(Limits::Clock::now() + between_looks) {}

Reason Watch::reached() {
  if (limits_.stop.stop_requested()) return Reason::cancelled;
  const auto now = Limits::Clock::now();
  if (now >= limits_.deadline) return Reason::timeout;
  if (now >= next_look_) {
    next_look_ = now + between_looks;
    too_large_ = used() > limits_.memory;
  }
  return too_large_ ? Reason::limit : Reason::none;
}

void Watch::require_open() {
  if (const Reason reason = reached(); reason != Reason::none) throw Stopped{reason};
}

std::uint64_t Watch::used() const {
  const std::uint64_t now = resident_memory();
  return now - std::min(now, at_start_ + allowance);
}

std::uint64_t Watch::room() const { return limits_.memory - std::min(limits_.memory, used()); }

void return_freed_memory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace quadrille::searching
