// Watch checks the limits of one piece of work, among them the memory that it takes (memory_use.h), and interrupts
// solvers, which do not ask by themselves.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <thread>

#include "model/limits/limits.h"
#include "model/limits/memory_use.h"

namespace quadrille {

// Several threads may use one watch. Cost: a look at the clock for each question, and one at the memory every 10 ms.
class Watch {
 public:
  // Work `goes_on` once memory that was too much has been freed; or it `stays_over`, because a solver that was
  // interrupted for it gives answers that are not reliable.
  enum class AfterTooMuch : std::uint8_t { goes_on, stays_over };

  // The limits' `told` stays as it is, because what the watch reaches ends its own work only.
  explicit Watch(Limits limits, AfterTooMuch after = AfterTooMuch::goes_on);
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  const Limits& limits() const { return limits_; }

  // The limit that is reached: timeout, cancelled or none; `limit` if the process has taken more than limits.memory
  // since the watch began.
  Reason reached();
  // Throws Ended if reached() is not none.
  void require_open();
  // Reports the progress to those who asked for it, and looks at the memory.
  void report(const Progress& progress);

  // Bytes that the process has taken since the watch began, and bytes that are left.
  std::uint64_t used() const { return memory_.used(); }
  std::uint64_t room() const { return memory_.room(); }

  // While a guard exists, `interrupt` is called once the limits are reached, and again every few milliseconds,
  // because Z3 forgets an interruption that comes before its work begins. The watch's thread calls it. Z3's own
  // timeouts are not used: in Z3 4.8.12, a timer that starts inside one that has run out waits for ever.
  class Guard {
   public:
    Guard(Watch& watch, std::function<void()> interrupt);
    ~Guard();
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

   private:
    Watch& watch_;
    std::list<std::function<void()>>::iterator place_;
  };

 private:
  void look();  // at the memory
  void run(const std::stop_token& done);

  Limits limits_;
  AfterTooMuch after_;
  MemoryUse memory_;
  std::atomic<Limits::Clock::time_point> next_look_;
  std::atomic<bool> too_large_ = false;
  std::mutex reporting_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::list<std::function<void()>> interrupts_;
  std::jthread thread_;  // begins with the first guard; the last member: it is joined before the others go
};

// Calls watch->require_open(), if there is a watch.
inline void require_open(Watch* watch) {
  if (watch != nullptr) watch->require_open();
}

}  // namespace quadrille
