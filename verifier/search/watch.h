// Watch: asks the limits of one search, the memory that it takes among them.
//
// Memory is what the system says that the process has in memory, less what it had when the watch began: no estimate of
// what solvers allocate comes within a tenth of that. Example: with limits.memory = 1 GiB, a search that began at 100
// MiB is told to stop at 1140 MiB (16 MiB are not counted). Cost: a look at the clock, and every 10 ms one at
// /proc/self/statm (some 5 µs).
#pragma once

#include <cstdint>
#include <optional>

#include "model/limits.h"

namespace quadrille::searching {

// Thrown by the writing of formulas (Budget, Orbits, …) when it has to end early.
struct Stopped {
  Reason reason = Reason::none;  // timeout, cancelled or limit
};

class Watch {
 public:
  explicit Watch(Limits limits);

  const Limits& limits() const { return limits_; }

  // timeout, cancelled, none; limit where the process has taken more than limits.memory since the watch began.
  Reason reached();
  // Throws Stopped if that is not none.
  void require_open();

  // Bytes that the process has taken since, but for 16 MiB; 0 where the system does not tell.
  std::uint64_t used() const;
  // Those that are left.
  std::uint64_t room() const;

 private:
  Limits limits_;
  std::uint64_t at_start_;
  Limits::Clock::time_point next_look_;
  bool too_large_ = false;  // at the last look
};

// watch.require_open(), if there is a watch.
inline void require_open(Watch* watch) {
  if (watch != nullptr) watch->require_open();
}

// Gives memory that was freed back to the system, so that it no longer counts.
void return_freed_memory();

}  // namespace quadrille::searching
