#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <future>
#include <thread>
#include <utility>

#include "model/limits/interrupt.h"

namespace quadrille {
namespace {

volatile std::sig_atomic_t came_before = 0;

extern "C" void count_signal(int) { came_before = came_before + 1; }

TEST_CASE("the first signal requests a stop, the second is handled as before") {
  for (const auto& [first, second] : {std::pair(SIGINT, SIGINT), {SIGTERM, SIGTERM}, {SIGINT, SIGTERM}}) {
    const auto original = std::signal(second, count_signal);
    came_before = 0;
    {
      const Interrupts interrupts(std::chrono::hours(1));
      std::promise<void> stopped;
      const std::stop_callback on_stop(interrupts.token(), [&] { stopped.set_value(); });
      CHECK_FALSE(interrupts.token().stop_requested());
      std::raise(first);
      stopped.get_future().wait();
      CHECK(interrupts.token().stop_requested());
      CHECK(came_before == 0);
      std::raise(second);
      CHECK(came_before == 1);
    }
    std::signal(second, original);
  }
}

TEST_CASE("SIGTERM comes again by itself when its time has passed, and Ctrl-C does not") {
  const auto original = std::signal(SIGTERM, count_signal);
  came_before = 0;
  for (const int first : {SIGINT, SIGTERM}) {
    const Interrupts interrupts(std::chrono::milliseconds(1));
    const auto enough = std::chrono::steady_clock::now() + std::chrono::seconds(first == SIGTERM ? 60 : 0);
    std::raise(first);
    while (came_before == 0 && std::chrono::steady_clock::now() < enough) std::this_thread::yield();
    CHECK(came_before == (first == SIGTERM ? 1 : 0));
  }
  std::signal(SIGTERM, original);
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
