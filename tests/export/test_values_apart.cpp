// A processor's program is the same, and so is what is wrong with a table, however many values are followed at a time.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/compile_programs.h"
#include "driver/inputs/input.h"
#include "dsl/load.h"
#include "export/program.h"
#include "export/transmissions.h"
#include "export/write_program.h"
#include "tests/driver/memory_environment.h"
#include "tests/environment.h"
#include "tests/reference/random_rounds.h"
#include "tests/reference/random_tables.h"

namespace {

using namespace quadrille;
using driver::Context;
using driver::MemoryEnvironment;
using exporting::ProcessorRange;
using exporting::Transmission;

constexpr std::uint32_t all_values = 0xffffffff;

// All processors' programs, or what is wrong.
std::string programs(const SendTable& table, std::uint32_t most_values) {
  const Limits limits;
  const ProcessorRange range{0, table.fabric.processors()};
  std::vector<std::vector<Transmission>> lists(range.end);
  exporting::TableReductions words;
  const auto visit = [&](NodeId processor, const Transmission& it) { lists[processor.value].push_back(it); };
  const auto begin_again = [&] {
    for (std::vector<Transmission>& list : lists) list.clear();
  };
  if (const auto wrong =
          exporting::read_neighbour_transmissions(table, range, limits, visit, begin_again, words, most_values)) {
    return wrong->message;
  }
  std::string text;
  for (std::uint32_t p = 0; p < range.end; ++p) {
    exporting::put_values_in_order(lists[p]);
    const auto program = exporting::program_of(table, NodeId(p), lists[p], words, limits);
    if (!program) {
      text += program.diagnostics().front().message + "\n";
      continue;
    }
    exporting::write_program(
        *program, table, exporting::ProgramForm::csv,
        [&](std::string_view piece) {
          text += piece;
          return true;
        },
        limits);
  }
  return text;
}

// Whether there is more than one value.
bool same_in_groups(const SendTable& table) {
  if (!table.collective.combining() || table.collective.values() < 2) return false;
  const std::string together = programs(table, all_values);
  for (const std::uint32_t most : {1U, 2U, 3U}) CHECK(programs(table, most) == together);
  return true;
}

TEST_CASE("the programs of reductions that ship are the same, value by value") {
  std::size_t count = 0;
  for (const ShippedFile& shipped : shipped_schedules()) {
    for (const std::string define : {"N=6", "N=8"}) {
      for (const std::string on :
           {"", "ring:8", "leaf_spine:hosts=8,leaves=2,spines=2,switches=forward", "complete:8,timing=rounds"}) {
        MemoryEnvironment environment;
        Context context{environment};
        const auto table = driver::open_table({.file = std::string(shipped.name),
                                               .defines = {define},
                                               .on = on,
                                               .without = {},
                                               .retime = !on.empty() && !on.ends_with("rounds"),
                                               .timing = {}},
                                              context);
        if (!table) continue;
        CAPTURE(table->schedule);
        CAPTURE(on);
        count += same_in_groups(*table) ? 1 : 0;
      }
    }
  }
  MESSAGE(count, " tables");
  CHECK(count > 50);
}

TEST_CASE("the programs of random tables, and what is wrong with them, are the same, value by value") {
  const std::uint64_t tables = tests::brief ? 1000 : 20000;
  std::size_t count = 0;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + tables; ++seed) {
    for (const bool rounds : {false, true}) {
      CAPTURE(seed);
      CAPTURE(rounds);
      count += same_in_groups(rounds ? reference::random_rounds_table(seed, true) : reference::random_table(seed, true))
                   ? 1
                   : 0;
    }
  }
  MESSAGE(count, " tables");
  CHECK(count > 50);
}

std::map<std::string, std::string> programs_within(const SendTable& table, std::uint64_t memory) {
  MemoryEnvironment environment;
  Context context{environment};
  context.limits.memory = memory;
  const auto wrong = driver::write_programs(table, {.input = {}, .by_rank = "programs"}, context);
  if (wrong) CHECK(wrong->code == Code::limit);
  return wrong ? std::map<std::string, std::string>() : environment.files;
}

// On a line, packets wait on their way; recursive doubling with a stride of 3 joins what does not lie side by side.
TEST_CASE("programs of reductions in little memory are the same") {
  for (const std::string file : {"allreduce_ring", "allreduce_swing", "reduce_scatter_pairwise"}) {
    MemoryEnvironment environment;
    Context context{environment};
    const auto table = driver::open_table({.file = file, .defines = {"N=32"}}, context);
    REQUIRE(table.ok());
    CAPTURE(file);
    const auto all = programs_within(*table, std::uint64_t{1} << 30);
    CHECK(all.size() == 32 + 1);  // and the manifest
    std::size_t within = 0;
    for (std::uint64_t memory = 20'000; memory < 200'000; memory += memory / 4) {
      const auto some = programs_within(*table, memory);
      if (some.empty()) continue;
      ++within;
      CHECK(some == all);
    }
    MESSAGE(file, ": ", within);
    CHECK(within > 3);
  }
}

// Processor 1 passes on what is for itself.
TEST_CASE("a packet that goes on from its target has what has come there") {
  MemoryEnvironment environment;
  environment.files["on.csv"] =
      "# quadrille-table 1\n# fabric: line:3\n# collective: allreduce:parts=2\n"
      "step,from,to,lane,origin,target,part\n1,0,1,0,0,1,0\n1,2,1,0,2,1,1\n2,1,2,0,0,1,0\n";
  Context context{environment};
  const auto table = driver::open_table({.file = "on.csv"}, context);
  REQUIRE(table.ok());
  const std::string together = programs(*table, all_values);
  CHECK(programs(*table, 1) == together);
  CHECK(together.find("processor 1 passes on 0->1 part 0, which is for itself") != together.npos);
  CHECK(together.find("# processor: 2\n") != together.npos);
}

}  // namespace
