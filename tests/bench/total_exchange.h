// The paper's total exchange, for benchmarks.
#pragma once

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "compiler/compile.h"
#include "dsl/load.h"
#include "model/fabric_notation.h"
#include "model/send_table.h"

namespace quadrille::bench {

// From the text to a table of n = 2^levels processors.
inline SendTable compile_total_exchange(int levels, const ElaborateOptions& options = {}) {
  Sources sources;
  const auto read = [](const std::string&) { return std::optional<std::string>(); };
  const auto program =
      load({"total_exchange.qd", std::string(shipped_schedule("total_exchange")->text)}, read, sources);
  const auto schedule = compile(*program, "total_exchange");
  return *elaborate(*schedule, {{"L", std::to_string(levels)}, {"capacity", "exponential"}}, options);
}

// The fabric of that schedule as somebody would write down their own machine.
inline Fabric exponential_tree_as_graph(int levels) {
  std::string switches;
  std::string links;
  for (int level = 1; level <= levels; ++level) {
    for (int j = 0; j < 1 << (levels - level); ++j) {
      switches += fmt::format("{}\"s{}.{}\"", switches.empty() ? "" : ",", level, j);
      for (int child = 2 * j; child < 2 * j + 2; ++child) {
        const std::string below = level == 1 ? std::to_string(child) : fmt::format("\"s{}.{}\"", level - 1, child);
        links += fmt::format("{}[{},\"s{}.{}\",{}]", links.empty() ? "" : ",", below, level, j, 1 << (level - 1));
      }
    }
  }
  return parse_fabric({"bench", fmt::format(R"(graph:{{"processors":{},"switches":[{}],"links":[{}]}})", 1 << levels,
                                            switches, links)},
                      0)
      .value();
}

inline std::uint64_t count_rows(const SendTable& table) {
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

// The most bytes that the program has had in memory.
inline double peak_memory() {
  struct rusage usage {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

}  // namespace quadrille::bench
