#include <doctest/doctest.h>

#include <csignal>
#include <future>

#include "model/limits/interrupt.h"

namespace quadrille {
namespace {

volatile std::sig_atomic_t came_before = 0;

extern "C" void count_signal(int) { came_before = came_before + 1; }

TEST_CASE("the first interrupt requests a stop, the second is handled as before") {
  const auto original = std::signal(SIGINT, count_signal);
  came_before = 0;
  {
    const Interrupts interrupts;
    std::promise<void> stopped;
    const std::stop_callback on_stop(interrupts.token(), [&] { stopped.set_value(); });
    CHECK_FALSE(interrupts.token().stop_requested());
    std::raise(SIGINT);
    stopped.get_future().wait();
    CHECK(interrupts.token().stop_requested());
    CHECK(came_before == 0);
    std::raise(SIGINT);
    CHECK(came_before == 1);
  }
  std::signal(SIGINT, original);
}

TEST_CASE("without an interrupt nothing is requested, and the handler is as before") {
  const auto original = std::signal(SIGINT, count_signal);
  came_before = 0;
  {
    const Interrupts interrupts;
    CHECK_FALSE(interrupts.token().stop_requested());
  }
  std::raise(SIGINT);
  CHECK(came_before == 1);
  std::signal(SIGINT, original);
}

TEST_CASE("an ignored interrupt stays ignored") {
  const auto original = std::signal(SIGINT, SIG_IGN);
  {
    const Interrupts interrupts;
    std::raise(SIGINT);
    CHECK_FALSE(interrupts.token().stop_requested());
  }
  std::signal(SIGINT, original);
}

}  // namespace
}  // namespace quadrille
