// Reasons in words, and deadlines from spans of time: one that is longer than the clock can count is no deadline.
#include "model/limits.h"

namespace quadrille {

std::string_view to_string(Reason reason) {
  switch (reason) {
    case Reason::none:
      return "none";
    case Reason::unsupported:
      return "unsupported";
    case Reason::limit:
      return "limit";
    case Reason::timeout:
      return "timeout";
    case Reason::cancelled:
      return "cancelled";
    case Reason::internal:
      break;
  }
  return "internal";
}

Limits Limits::within(std::chrono::duration<double> span) const {
  Limits limited = *this;
  const auto now = Clock::now();
  const std::chrono::duration<double> most = Clock::time_point::max() - now;
  if (span >= most) return limited;
  const auto end = now + std::chrono::duration_cast<Clock::duration>(span);
  if (end < limited.deadline) limited.deadline = end;
  return limited;
}

}  // namespace quadrille
