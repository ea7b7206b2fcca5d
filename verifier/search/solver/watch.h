// Watch checks the limits of one search, among them the memory that it takes (model/limits/memory_use.h). Cost: a
// look at the clock, and one at the memory every 10 ms.
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

  // The limit that was reached: timeout, cancelled or none; `limit` if the process has taken more than limits.memory
  // since the watch began.
  Reason reached();
  // Throws Ended if reached() is not none.
  void require_open();

  // Bytes that the process has taken since the watch began, and bytes that are left.
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

// Gives freed memory back to the system, so that it no longer counts.
void return_freed_memory();

}  // namespace quadrille::searching
