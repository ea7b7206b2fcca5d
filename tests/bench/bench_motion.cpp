// How many rows a second are placed anew, exported and replayed: of a table, and of schedules that combine.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/compile.h"
#include "compiler/language_families.h"
#include "dsl/load.h"
#include "export/targets.h"
#include "model/fabric_notation.h"
#include "runtime/replay.h"
#include "tests/reference/compiled.h"

namespace quadrille {
namespace {

std::shared_ptr<const ir::Schedule> shipped(const std::string& name) {
  return reference::compiled(std::string(shipped_schedule(name)->text)).schedule;
}

std::uint64_t rows_of(const SendTable& table) { return all_rows(table).size(); }

void count_rows(benchmark::State& state, std::uint64_t rows) {
  state.counters["rows/s"] =
      benchmark::Counter(static_cast<double>(rows * state.iterations()), benchmark::Counter::kIsRate);
}

// The table, without its schedule.
void retime_table(benchmark::State& state, const char* name, const char* n) {
  const SendTable made = elaborate(shipped(name), {{"N", n}}).value();
  SendTable table = made;
  table.rows = std::make_shared<StoredRows>(all_rows(made));
  const std::uint64_t rows = rows_of(table);
  for (auto _ : state) benchmark::DoNotOptimize(retimed(table, {}).value().retiming->steps);
  count_rows(state, rows);
}
BENCHMARK_CAPTURE(retime_table, ring, "ring_multinode_broadcast", "128")->Unit(benchmark::kMillisecond);

void retime_schedule(benchmark::State& state, const char* name, const char* n, const char* on) {
  const auto schedule = shipped(name);
  ElaborateOptions options;
  options.retime = true;
  options.fabric = parse_fabric({"bench", on}, 0, {}, language_families()).value();
  const std::uint64_t rows = rows_of(elaborate(schedule, {{"N", n}}, options).value());
  for (auto _ : state) benchmark::DoNotOptimize(elaborate(schedule, {{"N", n}}, options).value().retiming->steps);
  count_rows(state, rows);
}
BENCHMARK_CAPTURE(retime_schedule, ring_of_sums, "allreduce_ring", "32", "torus:4x8")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(retime_schedule, sums_in_switches, "allreduce_one_shot", "16", "star:16,switches=reduce")
    ->Unit(benchmark::kMillisecond);

void export_program(benchmark::State& state, const char* name, const char* n, const char* target_name) {
  const SendTable table = elaborate(shipped(name), {{"N", n}}).value();
  const std::uint64_t rows = rows_of(table);
  const Limits limits;
  const auto sink = [](std::string_view text) { return benchmark::DoNotOptimize(text.data()), true; };
  for (auto _ : state) {
    for (const exporting::ExportTarget& target : exporting::standard_targets()) {
      if (target.name == target_name && !target.write({table, 1024, "", limits}, sink).ok())
        state.SkipWithError("the export was refused");
    }
  }
  count_rows(state, rows);
}
BENCHMARK_CAPTURE(export_program, msccl, "allreduce_ring", "32", "msccl")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(export_program, mpi_c, "allreduce_ring", "64", "mpi-c")->Unit(benchmark::kMillisecond);

void replay_reduction(benchmark::State& state, const char* name, const char* n) {
  const SendTable made = elaborate(shipped(name), {{"N", n}}).value();
  SendTable table = made;
  table.rows = std::make_shared<StoredRows>(all_rows(made));
  const std::uint64_t rows = rows_of(table);
  for (auto _ : state) benchmark::DoNotOptimize(replay(table).rows);
  count_rows(state, rows);
}
BENCHMARK_CAPTURE(replay_reduction, ring, "allreduce_ring", "256")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replay_reduction, reduce_broadcast, "allreduce_reduce_broadcast", "256")
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace quadrille
