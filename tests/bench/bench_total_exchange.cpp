// How fast the pipeline is: rows per second of each stage on the paper's total exchange, and the ratio of its time to
// that of the bare enumeration of the same rows ("over_rows").
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "compiler/compile.h"
#include "dsl/load.h"
#include "formats/table_io.h"
#include "model/prefetched_rows.h"
#include "runtime/replay.h"
#include "verifier/check.h"

namespace quadrille {
namespace {

// From the text to a table of n = 2^levels processors.
SendTable compile_total_exchange(int levels) {
  Sources sources;
  const auto read = [](const std::string&) { return std::optional<std::string>(); };
  const auto program =
      load({"total_exchange.qd", std::string(shipped_schedule("total_exchange")->text)}, read, sources);
  const auto schedule = compile(*program, "total_exchange");
  return *elaborate(*schedule, {{"L", std::to_string(levels)}, {"capacity", "exponential"}});
}

std::uint64_t count_rows(const SendTable& table) {
  std::uint64_t rows = 0;
  const auto cursor = table.rows->open();
  while (const auto step = cursor->next()) {
    rows += step->rows.size();
    benchmark::DoNotOptimize(step->rows.data());
  }
  return rows;
}

template <class Work>
double seconds(const Work& work) {
  const auto began = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

// Times `work` over and over; it handles `rows` rows a time.
template <class Work>
void measure(benchmark::State& state, const SendTable& table, const Work& work) {
  std::uint64_t rows = 0;
  const double bare = seconds([&] { rows = count_rows(table); });
  double spent = 0;
  for (auto _ : state) spent += seconds(work);
  state.counters["rows"] = static_cast<double>(rows);
  state.counters["rows/s"] =
      benchmark::Counter(static_cast<double>(rows), benchmark::Counter::kIsIterationInvariantRate);
  state.counters["over_rows"] = spent / static_cast<double>(state.iterations()) / bare;
}

void rows_alone(benchmark::State& state) {
  const SendTable table = compile_total_exchange(static_cast<int>(state.range(0)));
  measure(state, table, [&] { benchmark::DoNotOptimize(count_rows(table)); });
}

void parse_compile_check(benchmark::State& state) {
  const int levels = static_cast<int>(state.range(0));
  measure(state, compile_total_exchange(levels), [&] {
    const Report report = check(compile_total_exchange(levels));
    if (report.verdict != Verdict::holds) state.SkipWithError("the table was refused");
  });
}

void parse_compile_check_two_threads(benchmark::State& state) {
  const int levels = static_cast<int>(state.range(0));
  measure(state, compile_total_exchange(levels), [&] {
    SendTable table = compile_total_exchange(levels);
    table.rows = std::make_shared<PrefetchedRows>(table.rows);
    if (check(table).verdict != Verdict::holds) state.SkipWithError("the table was refused");
  });
}

// As the command does it: one thread makes the rows, the other moves them.
void replay_two_threads(benchmark::State& state) {
  SendTable table = compile_total_exchange(static_cast<int>(state.range(0)));
  table.rows = std::make_shared<PrefetchedRows>(table.rows);
  measure(state, table, [&] {
    if (replay(table).verdict != Verdict::holds) state.SkipWithError("the replay failed");
  });
}

std::string written(const SendTable& table, const char* format) {
  std::string text;
  write_table(table, format, [&](std::string_view piece) { return text += piece, true; });
  return text;
}

void write_rows(benchmark::State& state, const char* format) {
  const SendTable table = compile_total_exchange(static_cast<int>(state.range(0)));
  measure(state, table, [&] { benchmark::DoNotOptimize(written(table, format)); });
}

void read_rows(benchmark::State& state, const char* format) {
  const SendTable table = compile_total_exchange(static_cast<int>(state.range(0)));
  const Source source{"table", written(table, format)};
  measure(state, table, [&] {
    const auto loaded = read_table(source, 0);
    if (!loaded || count_rows(*loaded) == 0) state.SkipWithError("the table could not be read");
  });
}

// n = 1024; with --long also n = 4096.
void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Unit(benchmark::kMillisecond)->UseRealTime()->ArgName("L")->Arg(10);
  const char* longer = std::getenv("QUADRILLE_LONG");
  if (longer && std::string_view(longer) == "1") benchmark->Arg(12)->Iterations(1);
}

void small(benchmark::internal::Benchmark* benchmark) {
  benchmark->Unit(benchmark::kMillisecond)->UseRealTime()->ArgName("L")->Arg(8);
}

BENCHMARK(rows_alone)->Apply(sizes);
BENCHMARK(parse_compile_check)->Apply(sizes);
BENCHMARK(parse_compile_check_two_threads)->Apply(sizes);
BENCHMARK(replay_two_threads)->Apply(sizes);
BENCHMARK_CAPTURE(write_rows, csv, "csv")->Apply(small);
BENCHMARK_CAPTURE(write_rows, json, "json")->Apply(small);
BENCHMARK_CAPTURE(write_rows, binary, "binary")->Apply(small);
BENCHMARK_CAPTURE(read_rows, csv, "csv")->Apply(small);
BENCHMARK_CAPTURE(read_rows, json, "json")->Apply(small);
BENCHMARK_CAPTURE(read_rows, binary, "binary")->Apply(small);

}  // namespace
}  // namespace quadrille
