// Reasons in words, the limits that are reached, and deadlines from spans of time. A span that is longer than the
// clock can count gives no deadline.
#include "model/limits/limits.h"

#include <array>

#include "model/limits/memory_ceiling.h"

namespace quadrille {

std::string_view to_string(Reason reason) {
  constexpr std::array<std::string_view, 6> names = {"none",    "unsupported", "limit",
                                                     "timeout", "cancelled",   "internal"};
  return names[static_cast<std::size_t>(reason)];
}

namespace {

Reason reached_now(const Limits& limits) {
  if (limits.stop.stop_requested()) return Reason::cancelled;
  if (limits.deadline != Limits::Clock::time_point::max() && Limits::Clock::now() >= limits.deadline)
    return Reason::timeout;
  return memory_was_taken() && memory_is_taken() ? Reason::limit : Reason::none;
}

}  // namespace

Reason Limits::reached() const {
  const Reason reason = reached_now(*this);
  if (reason != Reason::none) tell(reason);
  return reason;
}

void Limits::tell(Reason reason) const {
  Reason nothing = Reason::none;
  if (told) told->compare_exchange_strong(nothing, reason);
}

Limits Limits::within(std::chrono::duration<double> span) const {
  Limits limited = *this;
  limited.told = {};
  const auto now = Clock::now();
  const std::chrono::duration<double> most = Clock::time_point::max() - now;
  if (span >= most) return limited;
  const auto end = now + std::chrono::duration_cast<Clock::duration>(span);
  if (end < limited.deadline) limited.deadline = end;
  return limited;
}

}  // namespace quadrille
