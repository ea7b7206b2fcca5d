// A comparison of all algorithms and their choices, at four sizes. What is asked for: 32 processors in ten seconds of
// processor time, on machines that state their routes, too.
#include <benchmark/benchmark.h>

#include <string>

#include "driver/search/compare.h"
#include "tests/driver/memory_environment.h"

namespace quadrille::driver {
namespace {

void compare_on(benchmark::State& state, const std::string& collective, const std::string& machine) {
  MemoryEnvironment environment;
  for (auto _ : state) {
    Context context{environment};
    const CompareRequest request{.collective = collective, .on = machine, .sizes = {"64KiB,1MiB,64MiB,1GiB"}};
    const auto outcome = run(request, context);
    if (!outcome || outcome->algorithms.empty()) state.SkipWithError("nothing is measured");
  }
}

void compare_reduce_on_leaf_spine_of_32(benchmark::State& state) {
  compare_on(state, "reduce", "leaf_spine:hosts=32,leaves=4,spines=8");
}
BENCHMARK(compare_reduce_on_leaf_spine_of_32)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

void compare_allreduce_on_rails_of_16(benchmark::State& state) {
  compare_on(state, "allreduce", "dgx_h100_rails:servers=2");
}
BENCHMARK(compare_allreduce_on_rails_of_16)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

}  // namespace
}  // namespace quadrille::driver
