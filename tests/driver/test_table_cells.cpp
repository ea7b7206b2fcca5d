// The cells of a table, against counts that look at every row again for every cell.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "driver/inputs/input.h"
#include "driver/look/listed_rows.h"
#include "driver/look/table_cells.h"
#include "tests/driver/memory_environment.h"
#include "tests/reference/random_tables.h"

namespace quadrille::driver {
namespace {

bool holds(const CellLine& line, ChannelId channel) { return std::ranges::count(line.channels, channel) > 0; }

// By beginning of the phase, the rows of that cell.
std::map<std::int64_t, std::uint64_t> phases_in(const ListedRows& rows, const TableCells& cells, std::size_t line,
                                                std::size_t span) {
  std::map<std::int64_t, std::uint64_t> counts;
  for (const ListedRow& each : rows.rows) {
    if ((each.step.value - 1) / cells.use.steps_per_span != span) continue;
    if (!holds(cells.lines[line], each.row.channel)) continue;
    ++counts[each.origin.outermost.known() ? std::int64_t{each.origin.outermost.begin} : -1];
  }
  return counts;
}

std::uint64_t sum_of(const std::map<std::int64_t, std::uint64_t>& counts) {
  std::uint64_t sum = 0;
  for (const auto& [phase, count] : counts) sum += count;
  return sum;
}

void check_cells(const SendTable& table, const CellsWanted& wanted) {
  const TableCells cells = table_cells(table, wanted);
  const ListedRows rows = list_rows(table, {}, {});
  CHECK(cells.use.rows == rows.rows.size());
  if (rows.rows.empty()) return;
  std::size_t wrong = 0;
  for (std::size_t line = 0; line < cells.lines.size(); ++line) {
    CHECK(cells.cells[line].size() <= wanted.spans);
    for (std::size_t span = 0; span < cells.cells[line].size(); ++span) {
      const auto counts = phases_in(rows, cells, line, span);
      const TableCell& cell = cells.cells[line][span];
      if (cell.rows != sum_of(counts)) ++wrong;
      if (cell.rows == 0) continue;
      const std::int64_t phase =
          cell.phase < 0 ? -1 : std::int64_t{cells.phases[static_cast<std::size_t>(cell.phase)].begin};
      const auto most = std::ranges::max_element(counts, {}, [](const auto& it) { return it.second; });
      if (!counts.contains(phase) || counts.at(phase) != most->second) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("cells of random tables count their rows, and the use of links is that of the table") {
  for (std::uint64_t seed = reference::first_seed(); seed < reference::first_seed() + 200; ++seed) {
    CAPTURE(seed);
    const SendTable table = reference::random_table(seed);
    reference::Dice dice(seed);
    const CellsWanted wanted{dice.from_to(1, 30), dice.from_to(1, 12)};
    check_cells(table, wanted);
    const TableUse use = table_use(table, wanted.spans);
    const TableCells cells = table_cells(table, wanted);
    if (use.rows == 0) continue;
    CHECK(cells.use.by_channel == use.by_channel);
    REQUIRE(cells.use.groups.size() == use.groups.size());
    for (std::size_t i = 0; i < use.groups.size(); ++i) {
      CHECK(cells.use.groups[i].over_time == use.groups[i].over_time);
      CHECK(cells.use.groups[i].lanes == use.groups[i].lanes);
      CHECK(cells.use.groups[i].rows == use.groups[i].rows);
    }
  }
}

TEST_CASE("cells of schedules tell the commonest phase of their rows") {
  const std::vector<TableRequest> inputs{
      {"total_exchange", {"L=3"}},
      {"total_exchange", {"L=3"}, "fat_tree:levels=3,capacity=constant", {}, true},
      {"own.qd"},
      {"allreduce_ring", {"N=5"}},
      {"allgather_bruck", {"N=6"}, "", {}, false, false, false, "steps"},
  };
  MemoryEnvironment environment;
  environment.files = {{"own.qd",
                        "fabric complete(4)\ncollective total_exchange\n"
                        "for d in 1..1, k in processors: at d: send k -> (k + d) mod 4\n"
                        "for d in 2..3, k in processors: at d: send k -> (k + d) mod 4\n"}};
  for (const TableRequest& input : inputs) {
    CAPTURE(input.file);
    Context context{environment};
    const Result<SendTable> table = open_table(input, context);
    REQUIRE(table.ok());
    for (const CellsWanted& wanted : {CellsWanted{}, CellsWanted{3, 2}, CellsWanted{7, 5}}) check_cells(*table, wanted);
  }
}

}  // namespace
}  // namespace quadrille::driver
