// The watch is asked often. Between looks at the memory it answers from the last look. One thread serves all solvers:
// there is no signal when memory is taken, so it asks every few milliseconds, and then interrupts every solver under
// way, again and again.
#include "model/limits/watch.h"

#include <utility>

namespace quadrille {

constexpr auto watch_period = std::chrono::milliseconds(10);  // at the memory; and between two interrupts

Watch::Watch(Limits limits, AfterTooMuch after)
    : limits_(std::move(limits)), after_(after), memory_(limits_), next_look_(Limits::Clock::now() + watch_period) {
  limits_.told = {};
}

Reason Watch::reached() {
  const Reason reason = limits_.reached();
  if (reason == Reason::limit && after_ == AfterTooMuch::stays_over) too_large_ = true;
  if (Limits::Clock::now() >= next_look_.load()) look();
  return reason == Reason::none && too_large_ ? Reason::limit : reason;
}

void Watch::look() {
  next_look_ = Limits::Clock::now() + watch_period;
  const bool now = memory_.too_large();
  if (now || after_ == AfterTooMuch::goes_on) too_large_ = now;  // another thread may have found it too large
}

void Watch::require_open() {
  if (const Reason reason = reached(); reason != Reason::none) throw Ended{reason};
}

void Watch::report(const Progress& progress) {
  if (limits_.progress) {
    const std::lock_guard lock(reporting_);
    limits_.progress(progress);
  }
  look();
}

void Watch::run(const std::stop_token& done) {
  std::unique_lock lock(mutex_);
  while (!done.stop_requested()) {
    if (reached() != Reason::none) {
      for (const auto& interrupt : interrupts_) interrupt();
    }
    changed_.wait_for(lock, done, watch_period, [] { return false; });
  }
}

Watch::Guard::Guard(Watch& watch, std::function<void()> interrupt) : watch_(watch) {
  const std::lock_guard lock(watch.mutex_);
  place_ = watch.interrupts_.insert(watch.interrupts_.end(), std::move(interrupt));
  if (!watch.thread_.joinable())
    watch.thread_ = std::jthread([&watch](const std::stop_token& done) { watch.run(done); });
}

Watch::Guard::~Guard() {
  const std::lock_guard lock(watch_.mutex_);
  watch_.interrupts_.erase(place_);
}

}  // namespace quadrille
