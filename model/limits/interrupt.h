// Ctrl-C for work that can end early with its results so far.
#pragma once

#include <array>
#include <stop_token>
#include <thread>

namespace quadrille {

// While an object of this class exists, the first SIGINT requests a stop of the token, and restores the earlier
// handler, so that the next SIGINT ends the process. If SIGINT is ignored, it stays so. Requires at most one object
// at a time. A signal handler may not request a stop (callbacks may lock), so it writes a byte to a pipe that a
// thread waits for.
class Interrupts {
 public:
  Interrupts();
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
