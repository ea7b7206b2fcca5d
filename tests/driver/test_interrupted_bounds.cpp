// Solvers of other people's may take signals for themselves; an interrupt has to reach the command all the same.
#include <doctest/doctest.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "driver/bounds.h"
#include "tests/driver/memory_environment.h"

namespace quadrille::driver {
namespace {

std::atomic<int> heard = 0;

extern "C" void count_interrupt(int) { ++heard; }

TEST_CASE("no interrupt is lost while a linear program is solved") {
  const auto original = std::signal(SIGINT, count_interrupt);
  heard = 0;
  int sent = 0;
  std::atomic<bool> done = false;
  std::thread sender([&] {  // who raises a signal goes on when it has been handled
    while (!done) {
      std::raise(SIGINT);
      ++sent;
    }
  });
  MemoryEnvironment environment;
  Context context{environment};
  const Result<BoundsOutcome> outcome = run(BoundsRequest{"total_exchange", "mesh:3x3"}, context);
  done = true;
  sender.join();
  std::signal(SIGINT, original);
  REQUIRE(outcome.ok());
  CHECK(outcome->bounds.front().steps == 6U);
  CHECK(heard == sent);
}

}  // namespace
}  // namespace quadrille::driver
