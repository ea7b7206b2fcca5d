// Limits: how long and how large a piece of work may become, who may stop it, and whom it tells how far it is. One
// value, passed to everything that computes; and the reasons for which there may be no answer.
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

// Why a question has no answer. `none`: it has one.
enum class Reason : std::uint8_t {
  none,
  unsupported,  // it lies outside of what is implemented; more time or memory would not help
  limit,        // it needs more memory, or a larger size, than it was given
  timeout,      // the deadline passed
  cancelled,    // someone asked for it to stop: Ctrl-C, Limits::stop
  internal,     // a fault of Quadrille's own
};

// "none", "unsupported", "limit", "timeout", "cancelled", "internal".
std::string_view to_string(Reason reason);

// Thrown when the limits are reached; caught where the answer is made, which then is "unknown".
struct Ended {
  Reason reason = Reason::none;  // timeout, cancelled or limit
};

// How far a piece of work is. Numbers that are not known are absent.
struct Progress {
  std::string_view stage;  // "checking", "searching for 7 steps"; lives as long as the call; empty: show nothing now
  std::optional<std::uint64_t> done;     // of `unit`
  std::optional<std::uint64_t> of = {};  // likewise, in all
  std::string_view unit = {};            // "steps"
  std::optional<std::uint64_t> rows = {};
};

inline constexpr std::uint64_t default_memory = std::uint64_t{8} << 30;  // bytes

struct Limits {
  using Clock = std::chrono::steady_clock;

  std::stop_token stop = {};                              // work ends soon after someone requests it
  Clock::time_point deadline = Clock::time_point::max();  // likewise after this
  std::uint64_t memory = default_memory;                  // bytes; what would take more is not begun, or ends
  // What the process has in memory without counting towards that, in bytes; 0: what it has when the work begins, and
  // 16 MiB (model/limits/memory_use.h).
  std::uint64_t memory_floor = 0;
  std::function<void(const Progress&)> progress = {};  // called periodically, by one thread at a time
  // If there is one: the first reason that reached() gave anyone. Where it gave none, nothing was cut short by these
  // limits, though they may be reached by now. Copies share it.
  std::shared_ptr<std::atomic<Reason>> told = {};

  // cancelled, timeout, limit, or none. `limit`: the process has a ceiling (model/limits/memory_ceiling.h), and has
  // taken what that names; memory that is freed since is no reason any more, so keep the answer. Costs a look at the
  // clock (some 30 ns); loops ask every few thousand turns (Pulse).
  Reason reached() const;
  // As if reached() had given that reason: of work that ends where memory was refused.
  void tell(Reason reason) const;
  // What reached() gave anyone, or else gives now where nobody keeps it.
  Reason ended_early() const { return told ? told->load() : reached(); }

  // The same limits, ending after `span` at the latest; what they end is no end of these, and not told there.
  Limits within(std::chrono::duration<double> span) const;
};

// Asks the limits once in `period` turns of a loop; once they are reached, it says so for ever.
//
//   Pulse pulse(limits);
//   for (…) if (pulse.reached()) return unknown(pulse.reason());
class Pulse {
 public:
  explicit Pulse(const Limits& limits, std::uint32_t period = 4096) : limits_(&limits), period_(period) {}

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
