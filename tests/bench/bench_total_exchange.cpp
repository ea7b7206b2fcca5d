// How fast the pipeline is: rows per second of each stage on the paper's total exchange, and the ratio of its time to
// that of the bare enumeration of the same rows ("over_rows").
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <cstdlib>
#include <string>
#include <utility>

#include "compiler/compile.h"
#include "formats/table_io.h"
#include "model/fabric_notation.h"
#include "model/limits/resident_memory.h"
#include "model/prefetched_rows.h"
#include "runtime/replay.h"
#include "tests/bench/total_exchange.h"
#include "verifier/check.h"

namespace quadrille {
namespace {

using bench::compile_total_exchange;
using bench::count_rows;
using bench::seconds;

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
  ::malloc_trim(0);  // else what earlier tables left is used again
  const std::uint64_t before = resident_memory();
  const auto kept = read_table(source, 0);
  const double taken = static_cast<double>(resident_memory()) - static_cast<double>(before);
  state.counters["bytes/row"] = taken / static_cast<double>(count_rows(*kept));
}

// Placed anew on the constant tree, whose root's channel carries n^2/4 packets each way, one in each step.
void retime(benchmark::State& state) {
  const auto levels = std::to_string(state.range(0));
  ElaborateOptions options;
  options.fabric = parse_fabric({"bench", "fat_tree:levels=" + levels + ",capacity=constant"}, 0).value();
  options.retime = true;
  std::uint64_t rows = 0;
  std::uint64_t taken = 0;
  for (auto _ : state) {
    const std::uint64_t before = resident_memory();
    const SendTable table = compile_total_exchange(static_cast<int>(state.range(0)), options);
    taken = resident_memory() - before;
    rows = table.rows->row_count().value();
  }
  state.counters["rows"] = static_cast<double>(rows);
  state.counters["rows/s"] =
      benchmark::Counter(static_cast<double>(rows), benchmark::Counter::kIsIterationInvariantRate);
  state.counters["bytes/row"] = static_cast<double>(taken) / static_cast<double>(rows);
  state.counters["peak_MB"] = bench::peak_memory() / 1e6;  // of the program so far
}

// The same schedule on the built-in tree and on a graph of the same nodes and links: how many times as long the graph
// takes. `work` is given a table whose rows are made as they are read.
template <class Work>
void custom_fabric(benchmark::State& state, const Work& work) {
  const int levels = static_cast<int>(state.range(0));
  ElaborateOptions options;
  options.fabric = bench::exponential_tree_as_graph(levels);
  double built_in = 0;
  double custom = 0;
  std::uint64_t rows = 0;
  for (auto _ : state) {
    built_in += seconds([&] { work(compile_total_exchange(levels)); });
    custom += seconds([&] {
      const SendTable table = compile_total_exchange(levels, options);
      rows = table.rows->row_count().value();
      work(table);
    });
  }
  state.counters["rows/s"] =
      benchmark::Counter(static_cast<double>(2 * rows), benchmark::Counter::kIsIterationInvariantRate);
  state.counters["custom/built_in"] = custom / built_in;
}

void check_custom(benchmark::State& state) {
  custom_fabric(state, [&](const SendTable& table) {
    if (check(table).verdict != Verdict::holds) state.SkipWithError("the table was refused");
  });
}

void replay_custom(benchmark::State& state) {
  custom_fabric(state, [&](const SendTable& table) {
    if (replay(table).verdict != Verdict::holds) state.SkipWithError("the replay failed");
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
BENCHMARK(check_custom)->Apply(sizes);
BENCHMARK(replay_custom)->Apply(sizes);
BENCHMARK(retime)->Apply(sizes);

}  // namespace
}  // namespace quadrille
