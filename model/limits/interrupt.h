// Ctrl-C for work that ends early with what it has found.
#pragma once

#include <array>
#include <stop_token>
#include <thread>

namespace quadrille {

// While there is one, the first SIGINT requests the token's stop; then whatever was set for it before is set again, so
// that the next one ends the process. Where SIGINT is ignored, it stays so. No more than one at a time.
// A signal handler may not request a stop (callbacks may lock), so it writes a byte to a pipe that a thread waits for.
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
