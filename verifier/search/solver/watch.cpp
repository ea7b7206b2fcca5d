// The watch is asked often. Between looks at the memory it answers from the last look.
#include "verifier/search/solver/watch.h"

#include <utility>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace quadrille::searching {
namespace {

constexpr auto between_looks = std::chrono::milliseconds(10);

}  // namespace

Watch::Watch(Limits limits)
    : limits_(std::move(limits)), memory_(limits_), next_look_(Limits::Clock::now() + between_looks) {}

Reason Watch::reached() {
  if (limits_.stop.stop_requested()) return Reason::cancelled;
  const auto now = Limits::Clock::now();
  if (now >= limits_.deadline) return Reason::timeout;
  if (now >= next_look_) {
    next_look_ = now + between_looks;
    too_large_ = memory_.too_large();
  }
  return too_large_ ? Reason::limit : Reason::none;
}

void Watch::require_open() {
  if (const Reason reason = reached(); reason != Reason::none) throw Ended{reason};
}

void return_freed_memory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace quadrille::searching
