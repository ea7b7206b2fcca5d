#include "driver/interrupt.h"

#include <atomic>
#include <csignal>

namespace quadrille::driver {
namespace {

std::atomic<bool> came = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // so a signal handler may set it
struct sigaction before {};

extern "C" void remember_interrupt(int signal_number) {
  came = true;
  ::sigaction(signal_number, &before, nullptr);
}

}  // namespace

void outlive_first_interrupt() {
  struct sigaction action {};
  action.sa_handler = remember_interrupt;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, nullptr, &before);
  if (before.sa_handler != SIG_IGN) ::sigaction(SIGINT, &action, nullptr);
}

bool was_interrupted() { return came; }

}  // namespace quadrille::driver
