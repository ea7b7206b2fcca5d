// MSCCL XML: read, loaded and judged. What is asked for: 12,000 steps in under a second, and an all-to-all of 64 ranks
// too.
#include <benchmark/benchmark.h>

#include "programs/judge.h"
#include "programs/msccl/load.h"
#include "tests/bench/msccl_files.h"

namespace quadrille {
namespace {

void judge_text(benchmark::State& state, const programs::MscclFile& file) {
  const Source source{"bench.xml", programs::write_msccl_xml(file)};
  for (auto _ : state) {
    const auto read = programs::read_msccl_xml(source, 0);
    const programs::MscclCall call{programs::executor_named("rccl"), file.in_place, {}, 0, 0, 0, {}};
    programs::LoadedMsccl loaded = programs::load_msccl(*read, call, 3);
    programs::judge(loaded.program, loaded.report, {});
    if (loaded.report.verdict() != programs::ProgramVerdict::holds) state.SkipWithError("it does not hold");
  }
}

void judge_msccl_alltoall_of_64(benchmark::State& state) { judge_text(state, bench::large_alltoall(64)); }
BENCHMARK(judge_msccl_alltoall_of_64)->Unit(benchmark::kMillisecond);

void judge_msccl_12000_steps(benchmark::State& state) { judge_text(state, bench::large_allreduce(14, 32)); }
BENCHMARK(judge_msccl_12000_steps)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace quadrille
