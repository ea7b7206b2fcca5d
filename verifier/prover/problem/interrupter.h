// Interrupter stops Z3's work when the deadline passes, when a stop is requested, or when the process has taken too
// much memory.
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

namespace quadrille::prover {

// It does not use Z3's own timeouts: in Z3 4.8.12, a timer that starts inside one that has run out waits for ever.
// Instead one thread waits for the deadline, the stop, the memory limit (model/limits/memory_use.h: Z3 counts only
// its own memory), or the end.
class Interrupter {
 public:
  explicit Interrupter(const Limits& limits);  // keeps a reference
  ~Interrupter();
  Interrupter(const Interrupter&) = delete;
  Interrupter& operator=(const Interrupter&) = delete;

  // The reason to stop now; none: go on. If the memory was too much once, that remains the reason, also after it has
  // been freed: Z3 was interrupted then, and its answers are not reliable. Several threads may ask.
  Reason reached() const {
    const Reason reason = limits_.reached();
    if (reason == Reason::limit) too_large_ = true;
    return reason == Reason::none && too_large_ ? Reason::limit : reason;
  }
  void throw_if_reached() const {
    if (const Reason reason = reached(); reason != Reason::none) throw Ended{reason};
  }

  // Reports the progress to those who asked for it, and looks at the memory.
  void report(const Progress& progress);

  // While a guard exists, `interrupt` is called once the limits are reached, and again every few milliseconds,
  // because Z3 forgets an interruption that comes before its work begins. The interrupter's thread calls it.
  class Guard {
   public:
    Guard(Interrupter& interrupter, std::function<void()> interrupt);
    ~Guard();
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

   private:
    Interrupter& interrupter_;
    std::list<std::function<void()>>::iterator place_;
  };

 private:
  void run();

  const Limits& limits_;
  MemoryUse memory_;
  mutable std::atomic<bool> too_large_ = false;
  std::mutex reporting_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::list<std::function<void()>> interrupts_;
  std::thread thread_;
};

// The work that Z3 may do for one question, in its resource units, and the interrupter that may stop it earlier.
struct SolverEffort {
  Interrupter& interrupter;
  std::uint32_t units = 0;

  // The same effort, but no more than `most` units.
  SolverEffort at_most(std::uint32_t most) const { return {interrupter, units < most ? units : most}; }
};

}  // namespace quadrille::prover
