// A Watch checks the limits of one search, including its memory (model/limits/memory_use.h). Cost: a look at the clock,
// and every 10 ms one at the memory.
#pragma once

#include <cstdint>
#include <optional>

#include "model/limits/limits.h"
#include "model/limits/memory_use.h"

namespace quadrille::searching {

class Watch {
 public:
  explicit Watch(Limits limits);

  const Limits& limits() const { return limits_; }

  // Returns timeout, cancelled or none; limit where the process has taken more than limits.memory since the watch
  // began.
  Reason reached();
  // Throws Ended if reached() is not none.
  void require_open();

  // Bytes that the process has taken since, and those that are left.
  std::uint64_t used() const { return memory_.used(); }
  std::uint64_t room() const { return memory_.room(); }

 private:
  Limits limits_;
  MemoryUse memory_;
  Limits::Clock::time_point next_look_;
  bool too_large_ = false;  // at the last look
};

// Calls watch->require_open(), if there is a watch.
inline void require_open(Watch* watch) {
  if (watch != nullptr) watch->require_open();
}

// Gives memory that was freed back to the system, so that it no longer counts.
void return_freed_memory();

}  // namespace quadrille::searching
