// Measures the memory that a piece of work has taken, as the system counts it.
#pragma once

#include <cstdint>

#include "model/limits/limits.h"

namespace quadrille {

// The memory of the process beyond the limits' floor. It is measured because no estimate of what solvers and
// libraries allocate comes within a tenth of it. The floor is the memory when this object was made, unless the limits
// name one. For example, with a limit of 1 GiB, work that began at 100 MiB is too large at 1140 MiB: 16 MiB are not
// counted (holes in the heap, tables that libraries make at their first use). Several threads may ask. Cost: each
// question some 5 µs.
class MemoryUse {
 public:
  explicit MemoryUse(const Limits& limits);

  // Bytes that have been taken since the beginning; 0 where the system does not tell.
  std::uint64_t used() const;
  // Bytes that are left.
  std::uint64_t room() const;
  bool too_large() const { return used() > limit_; }
  std::uint64_t limit() const { return limit_; }

 private:
  std::uint64_t limit_;
  std::uint64_t floor_;
};

// The floor for work that begins now.
std::uint64_t memory_floor_now();

// The same limits with the current floor, so that several pieces of work in a row share one memory. Limits that have
// a floor keep it.
Limits sharing_memory(Limits limits);

// A Pulse (model/limits/limits.h) that also looks at the memory that has been taken since it was made, every 16th
// time that it asks the limits.
class MeasuredPulse {
 public:
  explicit MeasuredPulse(const Limits& limits, std::uint32_t period = 4096)
      : limits_(&limits), memory_(limits), period_(period) {}

  bool reached() {
    if (++turn_ < period_ && reason_ == Reason::none) return false;
    return look(++looks_ % 16 == 0);
  }
  // Asks at once, for a turn that takes long or is large; `bytes` more are about to be taken.
  bool reached_with(std::uint64_t bytes) {
    if (reason_ == Reason::none && bytes > memory_.room()) reason_ = Reason::limit;
    return look(false);
  }
  Reason reason() const { return reason_; }

 private:
  bool look(bool also_at_memory) {
    turn_ = 0;
    if (reason_ == Reason::none) reason_ = limits_->reached();
    if (reason_ == Reason::none && also_at_memory && memory_.too_large()) reason_ = Reason::limit;
    return reason_ != Reason::none;
  }

  const Limits* limits_;
  MemoryUse memory_;
  std::uint32_t period_;
  std::uint32_t turn_ = 0;
  std::uint32_t looks_ = 0;
  Reason reason_ = Reason::none;
};

}  // namespace quadrille
