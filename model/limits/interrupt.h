// Ctrl-C and SIGTERM for work that can end early with its results so far.
#pragma once

#include <array>
#include <chrono>
#include <stop_token>
#include <thread>

namespace quadrille {

// While an object of this class exists, the first SIGINT or SIGTERM requests a stop of the token, and restores the
// earlier handlers, so that the next one ends the process. After SIGTERM, which no person watches, the next one comes
// by itself once `grace` has passed. A signal that is ignored stays so. Requires at most one object at a time. A signal
// handler may not request a stop (callbacks may lock), so it writes a byte to a pipe that a thread waits for.
class Interrupts {
 public:
  explicit Interrupts(std::chrono::milliseconds grace = std::chrono::seconds(2));
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::array<int, 2> ends_{-1, -1};  // of the pipe: read, write
  std::thread listener_;
};

}  // namespace quadrille
