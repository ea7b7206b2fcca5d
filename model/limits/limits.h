// Limits bound the time and size of a piece of work, carry a request to stop, and take reports of progress. One value
// is passed to everything that computes. Reason says why there may be no answer.
//
//   std::stop_source ctrl_c;
//   Limits limits;
//   limits.stop = ctrl_c.get_token();
//   limits.deadline = Limits::Clock::now() + 10s;
//   limits.memory = std::uint64_t{2} << 30;
//   …
//   if (const Reason reason = limits.reached(); reason != Reason::none) …end with what is known, and that reason…
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>

namespace quadrille {

// The reason why a question has no answer. `none`: it has one.
enum class Reason : std::uint8_t {
  none,
  unsupported,  // it is outside of what is implemented; more time or memory would not help
  limit,        // it needs more memory, or a larger size, than it was given
  timeout,      // the deadline passed
  cancelled,    // someone asked for it to stop: Ctrl-C, SIGTERM, Limits::stop
  internal,     // a fault of Quadrille's own
};

// "none", "unsupported", "limit", "timeout", "cancelled", "internal".
std::string_view to_string(Reason reason);

// Thrown when the limits are reached. The function that makes the answer catches it; the answer then is "unknown".
struct Ended {
  Reason reason = Reason::none;  // timeout, cancelled or limit
};

// The progress of a piece of work. Numbers that are not known are absent.
struct Progress {
  std::string_view stage;  // "checking", "searching for 7 steps"; lives as long as the call; empty: show nothing now
  std::optional<std::uint64_t> done;     // of `unit`
  std::optional<std::uint64_t> of = {};  // likewise, in all
  std::string_view unit = {};            // "steps"
  std::optional<std::uint64_t> rows = {};
};

inline constexpr std::uint64_t default_memory = std::uint64_t{8} << 30;  // bytes
inline constexpr std::uint64_t most_listed_channels = std::uint64_t{1} << 26;
inline constexpr std::uint64_t most_channels = (std::uint64_t{1} << 32) - 1;

struct Limits {
  using Clock = std::chrono::steady_clock;

  std::stop_token stop = {};                              // work ends soon after someone requests it
  Clock::time_point deadline = Clock::time_point::max();  // likewise after this time
  std::uint64_t memory = default_memory;                  // bytes; work that would take more is not begun, or ends
  // The most channels of a fabric. Work whose tables are by channel leaves it; work that takes memory for its rows
  // alone may take more of a complete graph, whose channels are not listed (max_complete_size).
  std::uint64_t channels = most_listed_channels;
  // The memory of the process that does not count towards the limit, in bytes. 0: the memory when the work begins,
  // and 16 MiB (model/limits/memory_use.h).
  std::uint64_t memory_floor = 0;
  std::function<void(const Progress&)> progress = {};  // called periodically, by one thread at a time
  // If set, it holds the first reason that reached() gave anyone. If there was none, these limits have cut nothing
  // short, though they may be reached by now. Copies share it.
  std::shared_ptr<std::atomic<Reason>> told = {};

  // The limit that is reached: cancelled, timeout, limit, or none. `limit`: the process has a ceiling
  // (model/limits/memory_ceiling.h), and has taken the memory that the ceiling names. After memory was freed, the
  // answer may be none again, so keep it. Cost: a look at the clock (some 30 ns); loops ask every few thousand turns
  // (Pulse).
  Reason reached() const;
  // Records this reason as if reached() had given it; for work that ends because memory was refused.
  void tell(Reason reason) const;
  // The first reason that reached() gave anyone; if nobody keeps it, the reason that it gives now.
  Reason ended_early() const { return told ? told->load() : reached(); }

  // The same limits, ending after `span` at the latest. If the span ends the work, the original limits do not record
  // that.
  Limits within(std::chrono::duration<double> span) const;
};

// Asks the limits once in `period` turns of a loop. Once they are reached, the answer stays the same.
//
//   Pulse pulse(limits);
//   for (…) if (pulse.reached()) return unknown(pulse.reason());
class Pulse {
 public:
  // Keeps a reference.
  explicit Pulse(const Limits& limits, std::uint32_t period = 4096) : limits_(&limits), period_(period) {}
  explicit Pulse(const Limits&& limits, std::uint32_t period = 4096) = delete;

  bool reached() {
    if (++turn_ < period_ && reason_ == Reason::none) return false;
    turn_ = 0;
    if (reason_ == Reason::none) reason_ = limits_->reached();
    return reason_ != Reason::none;
  }
  Reason reason() const { return reason_; }
  const Limits& limits() const { return *limits_; }

 private:
  const Limits* limits_;
  std::uint32_t period_;
  std::uint32_t turn_ = 0;
  Reason reason_ = Reason::none;
};

}  // namespace quadrille
