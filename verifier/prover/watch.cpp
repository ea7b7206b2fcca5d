// One thread for all questions: it sleeps until the deadline or the stop, and then interrupts every question under way,
// again and again, as an interrupt between two of Z3's checks is lost. Z3's own timers are not used: see watch.h.
#include "verifier/prover/watch.h"

#include <chrono>
#include <utility>

namespace quadrille::prover {
namespace {

constexpr auto between_interrupts = std::chrono::milliseconds(10);

}  // namespace

Watch::Watch(const Limits& limits) : limits_(limits) {
  const bool endless = limits.deadline == Limits::Clock::time_point::max() && !limits.stop.stop_possible();
  if (!endless) thread_ = std::thread([this] { run(); });
}

Watch::~Watch() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Watch::run() {
  const std::stop_callback on_stop(limits_.stop, [this] {
    { const std::lock_guard lock(mutex_); }  // so that it is not between its look at the token and its sleep
    changed_.notify_all();
  });
  std::unique_lock lock(mutex_);
  const auto over = [&] { return ended_ || limits_.stop.stop_requested(); };
  if (limits_.deadline == Limits::Clock::time_point::max()) {
    changed_.wait(lock, over);
  } else {
    changed_.wait_until(lock, limits_.deadline, over);
  }
  while (!ended_) {
    for (const auto& interrupt : interrupts_) interrupt();
    changed_.wait_for(lock, between_interrupts, [&] { return ended_; });
  }
}

Watch::Guard::Guard(Watch& watch, std::function<void()> interrupt) : watch_(watch) {
  const std::lock_guard lock(watch.mutex_);
  place_ = watch.interrupts_.insert(watch.interrupts_.end(), std::move(interrupt));
}

Watch::Guard::~Guard() {
  const std::lock_guard lock(watch_.mutex_);
  watch_.interrupts_.erase(place_);
}

}  // namespace quadrille::prover
