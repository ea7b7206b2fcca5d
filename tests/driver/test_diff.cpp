// Comparing what two sides send: what an exporter writes sends what its table does; what is changed is found.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "driver/diff/diff.h"
#include "driver/export.h"
#include "driver/inputs/input.h"
#include "dsl/load.h"
#include "formats/table_io.h"
#include "tests/driver/random_inputs.h"

namespace quadrille::driver {
namespace {

void keep(const SendTable& table, const std::string& path, MemoryEnvironment& environment) {
  std::string& text = environment.files[path];
  text.clear();
  write_table(table, "csv", [&](std::string_view piece) {
    text += piece;
    return true;
  });
}

Result<DiffOutcome> diff(const std::string& left, const std::string& right, MemoryEnvironment& environment) {
  Context context{environment};
  return run(DiffRequest{left, right}, context);
}

TEST_CASE("a program that is exported sends what its table does, in its order, with its sums") {
  std::size_t compared = 0;
  for (const ShippedFile& shipped : shipped_schedules()) {
    CAPTURE(shipped.name);
    for (const char* size : {"N=4", "L=2"}) {
      MemoryEnvironment environment;
      Context context{environment};
      const Result<SendTable> table = open_table({.file = std::string(shipped.name), .defines = {size}}, context);
      if (!table) continue;
      keep(*table, "table.csv", environment);
      const auto exported = run(ExportRequest{{.file = "table.csv"}, "msccl", "table.xml"}, context);
      if (!exported) continue;
      const Result<DiffOutcome> outcome = diff("table.csv", "table.xml", environment);
      REQUIRE(outcome.ok());
      CHECK(outcome->same());
      CHECK(outcome->common > 0);
      ++compared;
    }
  }
  CHECK(compared > 30);
}

TEST_CASE("a table sends what it sends itself, and not what it sends without a row") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    MemoryEnvironment environment;
    const TableRequest request = random_input(seed, environment);
    Context context{environment};
    const Result<SendTable> table = open_table(request, context);
    if (!table) continue;
    keep(*table, "one.csv", environment);
    const Result<DiffOutcome> same = diff("one.csv", "one.csv", environment);
    if (!same) continue;  // a wrong table, or one whose switches add up
    CHECK(same->same());
    std::string text = environment.files["one.csv"];
    const std::size_t last = text.rfind('\n', text.size() - 2);
    environment.files["other.csv"] = text.substr(0, last + 1);
    const Result<DiffOutcome> other = diff("one.csv", "other.csv", environment);
    if (!other || last == std::string::npos || text.substr(last + 1).starts_with("step")) continue;
    if (table->fabric.has_switches()) continue;  // the row may end in a switch
    CHECK_FALSE(other->same_sends());
    CHECK(other->right_sends < other->left_sends);
  }
}

TEST_CASE("the order of sends and of sums is compared where the sends are the same") {
  MemoryEnvironment environment;
  environment.files["forth.qd"] =
      "fabric complete(3)\ncollective reduce(root: 0)\nat 1: send 1 -> 0\nat 2: send 2 -> 0\n";
  environment.files["back.qd"] =
      "fabric complete(3)\ncollective reduce(root: 0)\nat 1: send 2 -> 0\nat 2: send 1 -> 0\n";
  environment.files["late.qd"] =
      "fabric complete(3)\ncollective reduce(root: 0)\nat 2: send 1 -> 0\nat 3: send 2 -> 0\n";
  const Result<DiffOutcome> back = diff("forth.qd", "back.qd", environment);
  REQUIRE(back.ok());
  CHECK(back->same_sends());
  CHECK(back->order == true);  // each processor sends once
  CHECK(back->steps == false);
  CHECK_FALSE(back->sums);  // (0 + 1) + 2 and (0 + 2) + 1
  const Result<DiffOutcome> late = diff("forth.qd", "late.qd", environment);
  REQUIRE(late.ok());
  CHECK(late->order == true);
  CHECK(late->steps == false);
  CHECK(late->sums);
}

}  // namespace
}  // namespace quadrille::driver
