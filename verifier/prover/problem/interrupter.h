// Interrupter: ends Z3's work when the deadline passes, someone requests a stop, or the process has taken too much
// memory.
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

// Z3's own timeouts are not used: in Z3 4.8.12 a timer that starts inside of one that has run out waits for ever.
// Instead one thread waits for the deadline, the stop, the memory (model/limits/memory_use.h: Z3's own count leaves out
// all but its own), or the end.
class Interrupter {
 public:
  explicit Interrupter(const Limits& limits);  // keeps a reference
  ~Interrupter();
  Interrupter(const Interrupter&) = delete;
  Interrupter& operator=(const Interrupter&) = delete;

  // Why to end now; none: go on. Memory that was too much once remains the reason, also after it has been freed: Z3 has
  // been interrupted then, and what it answers is nothing to rely on. Several threads may ask.
  Reason reached() const {
    const Reason reason = limits_.reached();
    if (reason == Reason::limit) too_large_ = true;
    return reason == Reason::none && too_large_ ? Reason::limit : reason;
  }
  void throw_if_reached() const {
    if (const Reason reason = reached(); reason != Reason::none) throw Ended{reason};
  }

  // Tells those who asked for the progress, and looks at the memory.
  void report(const Progress& progress);

  // While it lives, `interrupt` is called once the limits are reached, and then again every few milliseconds: Z3
  // forgets an interruption that comes before its work begins. It is called by the interrupter's thread.
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

// How much Z3 may do for one question, in its resource units; and who ends it before.
struct SolverEffort {
  Interrupter& interrupter;
  std::uint32_t units = 0;

  // The same, but no more than `most`.
  SolverEffort at_most(std::uint32_t most) const { return {interrupter, units < most ? units : most}; }
};

}  // namespace quadrille::prover
