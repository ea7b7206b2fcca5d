// Rows listed by `check`: those of the table, with where each was written, and the phase that it belongs to.
#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "driver/check/check.h"
#include "driver/look/located_rows.h"
#include "tests/driver/random_inputs.h"

namespace quadrille::driver {
namespace {

Result<CheckOutcome> check_rows(const TableRequest& input, const std::string& rows, Context& context) {
  CheckRequest request{input};
  request.rows = rows;
  return run(request, context);
}

bool alike(const RowOrigin& a, const RowOrigin& b) {
  return a.span == b.span && a.variables == b.variables && a.outermost == b.outermost;
}

// Each row of the table, in its order, with what is said of it there.
void compare_with_table(const ListedRows& listed, const SendTable& table) {
  CHECK_FALSE(listed.cut);
  std::size_t next = 0;
  std::vector<RowPlace> places;
  const auto cursor = table.rows->open();
  while (const auto batch = cursor->next()) {
    for (std::size_t i = 0; i < batch->rows.size(); ++i, ++next) {
      REQUIRE(next < listed.rows.size());
      const ListedRow& it = listed.rows[next];
      CHECK(it.step == batch->step);
      CHECK(it.row == batch->rows[i]);
      CHECK(it.message.has_value() == !batch->messages.empty());
      if (it.message) CHECK(*it.message == batch->messages[i]);
      CHECK(it.words.has_value() == !batch->uses.empty());
      if (it.words) CHECK(*it.words == batch->uses[i]);
      places.push_back({batch->step, i});
    }
  }
  CHECK(next == listed.rows.size());
  const std::vector<RowOrigin> origins = table.rows->origins(places);
  for (std::size_t i = 0; i < places.size(); ++i) {
    CHECK(alike(origins[i], listed.rows[i].origin));
    // One by one they are the same as together.
    if (i % 7 == 0) CHECK(alike(table.rows->origins(std::span(places).subspan(i, 1)).front(), origins[i]));
  }
}

TEST_CASE("the rows listed are the table's, each at or after the beginning of its phase") {
  int rows = 0;
  int located = 0;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + 150; ++seed) {
    CAPTURE(seed);
    MemoryEnvironment environment;
    const TableRequest input = random_input(seed, environment);
    Context context{environment};
    const auto outcome = check_rows(input, "all", context);
    if (!outcome) continue;
    REQUIRE(outcome->rows);
    compare_with_table(*outcome->rows, outcome->table);
    for (const ListedRow& row : outcome->rows->rows) {
      ++rows;
      CHECK(row.origin.span.known() == row.origin.outermost.known());
      CHECK(row.origin.span.known() == (input.file == "random.qd"));
      if (!row.origin.span.known()) continue;
      ++located;
      CHECK(row.origin.outermost.begin <= row.origin.span.begin);  // no procedures there; a block's span is its head's
    }
  }
  CHECK(located > 1000);
  CHECK(rows > located);
}

const std::string phased =
    "param N in 2..40\nfabric ring(N)\ncollective total_exchange\n"
    "procedure shift(d):\n  for k in processors: send k -> (k + d) mod n\n"
    "shift(1)\n"
    "then for d in 2..n-1 in turn:\n  shift(d)\n";

// The first lines of the phases, with the lines of the sends.
std::map<std::string, std::set<std::uint32_t>> phases(const TableRequest& input) {
  MemoryEnvironment environment;
  environment.files["phased.qd"] = phased;
  Context context{environment};
  const auto outcome = check_rows(input, "all", context);
  REQUIRE(outcome.ok());
  WrittenLines lines(context.sources);
  std::map<std::string, std::set<std::uint32_t>> result;
  for (const ListedRow& row : outcome->rows->rows) {
    const WrittenLine* phase = lines.at(row.origin.outermost);
    const WrittenLine* line = lines.at(row.origin.span);
    REQUIRE(phase != nullptr);
    REQUIRE(line != nullptr);
    result[phase->text].insert(line->position.line);
  }
  return result;
}

TEST_CASE("a phase is the outermost statement or call, also where sends are placed anew") {
  const std::map<std::string, std::set<std::uint32_t>> expected = {{"shift(1)", {5}}, {"for d in 2..n-1 in turn", {5}}};
  CHECK(phases({"phased.qd", {"N=6"}}) == expected);
  TableRequest retimed{"phased.qd", {"N=6"}};
  retimed.retime = true;
  CHECK(phases(retimed) == expected);
  retimed.on = "hypercube:3";
  retimed.defines = {"N=8"};
  CHECK(phases(retimed) == expected);
}

TEST_CASE("rows are listed of the steps that are asked for, up to a number, and it is said where there are more") {
  MemoryEnvironment environment;
  Context context{environment};
  const auto outcome = check_rows({"total_exchange", {"L=3"}}, "2..4", context);
  REQUIRE(outcome.ok());
  REQUIRE_FALSE(outcome->rows->rows.empty());
  CHECK_FALSE(outcome->rows->cut);
  std::uint64_t expected = 0;
  for (const StoredRows::StepRow& it : all_rows(outcome->table)) {
    if (it.step.value >= 2 && it.step.value <= 4) ++expected;
  }
  CHECK(outcome->rows->rows.size() == expected);
  for (const ListedRow& row : outcome->rows->rows) CHECK((row.step.value >= 2 && row.step.value <= 4));
  CHECK(list_rows(outcome->table, {2, 4}, {}, expected).cut == false);
  const ListedRows few = list_rows(outcome->table, {2, 4}, {}, expected - 1);
  CHECK(few.cut);
  CHECK(few.rows.size() == expected - 1);
  const ListedRows apart = list_rows_in({{4, 4}, {2, 2}, {2, 2}}, outcome->table, {});
  std::vector<ListedRow> both = list_rows(outcome->table, {2, 2}, {}).rows;
  const std::size_t of_second = both.size();
  for (const ListedRow& row : list_rows(outcome->table, {4, 4}, {}).rows) both.push_back(row);
  REQUIRE(apart.rows.size() == both.size());
  CHECK(of_second < both.size());
  for (std::size_t i = 0; i < both.size(); ++i) CHECK(apart.rows[i].row == both[i].row);
  CHECK(list_rows_in({}, outcome->table, {}).rows.empty());
  // Cut between two steps, too.
  const std::uint64_t of_first = list_rows(outcome->table, {1, 1}, {}).rows.size();
  CHECK(list_rows(outcome->table, {}, {}, of_first).cut);
}

TEST_CASE("steps are told by their numbers") {
  CHECK(*parse_steps("--rows", "3..7") == StepRange{3, 7});
  CHECK(*parse_steps("--rows", "5") == StepRange{5, 5});
  CHECK(parse_steps("--rows", "all")->all());
  for (const char* wrong : {"", "0", "0..3", "3..2", "..3", "3..", "-1", "3...4", "x", "1..99999999999"}) {
    CAPTURE(wrong);
    CHECK_FALSE(parse_steps("--rows", wrong).ok());
  }
}

}  // namespace
}  // namespace quadrille::driver
