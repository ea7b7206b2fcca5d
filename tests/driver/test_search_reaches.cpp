// What searches must reach: numbers of steps that short programs, or schedules that ship, are known to take. A minute
// on two idle cores is enough for each; the long ones take more than a second.
#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

#include "driver/inputs/context.h"
#include "driver/search/search.h"
#include "tests/driver/memory_environment.h"
#include "tests/environment.h"

namespace quadrille::driver {
namespace {

struct StepsToReach {
  std::string collective;
  std::string on;
  std::uint32_t steps;
};

void reaches(const std::vector<StepsToReach>& all) {
  for (const StepsToReach& it : all) {
    CAPTURE(it.collective);
    CAPTURE(it.on);
    MemoryEnvironment environment;
    Context context{environment};
    context.limits.deadline = Limits::Clock::now() + std::chrono::seconds(tests::sanitized ? 600 : 60);
    const auto outcome = run(SearchRequest{.collective = it.collective, .on = it.on}, context);
    REQUIRE(outcome.ok());
    REQUIRE(outcome->result.table);
    CHECK(outcome->result.steps <= it.steps);
  }
}

TEST_CASE("searches reach at once what is planned for one processor") {
  reaches({{"total_exchange", "torus:8x8", 64},
           {"total_exchange", "torus:4x4x4", 32},
           {"total_exchange", "ring:14", 25},
           {"total_exchange", "ring:32", 128},
           {"total_exchange", "nvl72", 5},
           {"allgather", "hypercube:8", 32},
           {"allgather", "torus:16x16", 64},
           {"reduce_scatter", "hypercube:6", 11},
           {"allreduce", "torus:8x8", 8},
           {"allreduce", "torus:4x4x4", 6}});
}

TEST_CASE("searches reach what is planned of hundreds of processors, or ships for them") {
  if (tests::brief) return;
  reaches({{"total_exchange", "torus:16x16", 512},
           {"total_exchange", "torus:8x8x8", 512},
           {"total_exchange", "dgx_h100_rails:servers=16", 121},
           {"allreduce", "torus:16x16", 16}});
}

TEST_CASE("searches of a minute reach what ships for many servers") {
  if (!tests::long_run()) return;
  reaches({{"total_exchange", "dragonfly:routers=4,hosts=2,global=2", 94},
           {"reduce_scatter", "dgx_h100_rails:servers=16", 18},
           {"allreduce", "dgx_a100_rails:servers=16", 7},
           {"allreduce", "dgx_h100_rails:servers=8", 6}});
}

}  // namespace
}  // namespace quadrille::driver
