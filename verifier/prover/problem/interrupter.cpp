// One thread serves all questions. It waits for the limits, and then interrupts every question under way, again and
// again, because an interrupt between two of Z3's checks is lost. There is no signal when memory is taken, so it
// looks every few milliseconds. It does not use Z3's own timers: see interrupter.h.
#include "verifier/prover/problem/interrupter.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace quadrille::prover {
namespace {

constexpr auto between_looks = std::chrono::milliseconds(10);  // at the memory; and between two interrupts

}  // namespace

Interrupter::Interrupter(const Limits& limits) : limits_(limits), memory_(limits), thread_([this] { run(); }) {}

Interrupter::~Interrupter() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Interrupter::run() {
  const std::stop_callback on_stop(limits_.stop, [this] {
    { const std::lock_guard lock(mutex_); }  // so that it is not between its look at the token and its sleep
    changed_.notify_all();
  });
  std::unique_lock lock(mutex_);
  const auto over = [&] { return ended_ || reached() != Reason::none; };
  while (!over()) {
    changed_.wait_until(lock, std::min(limits_.deadline, Limits::Clock::now() + between_looks), over);
    // Sets the reason before the first interrupt, so that whoever is interrupted finds it.
    if (memory_.too_large()) too_large_ = true;
  }
  while (!ended_) {
    for (const auto& interrupt : interrupts_) interrupt();
    changed_.wait_for(lock, between_looks, [&] { return ended_; });
  }
}

void Interrupter::report(const Progress& progress) {
  if (limits_.progress) {
    const std::lock_guard lock(reporting_);
    limits_.progress(progress);
  }
  if (memory_.too_large()) too_large_ = true;
}

Interrupter::Guard::Guard(Interrupter& interrupter, std::function<void()> interrupt) : interrupter_(interrupter) {
  const std::lock_guard lock(interrupter.mutex_);
  place_ = interrupter.interrupts_.insert(interrupter.interrupts_.end(), std::move(interrupt));
}

Interrupter::Guard::~Guard() {
  const std::lock_guard lock(interrupter_.mutex_);
  interrupter_.interrupts_.erase(place_);
}

}  // namespace quadrille::prover
