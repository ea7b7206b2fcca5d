// What switches add up, sent apart: it delivers what the table delivers, and whatever sends there are, they were there.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "driver/export.h"
#include "driver/unfold.h"
#include "tests/driver/memory_environment.h"
#include "tests/environment.h"
#include "tests/reference/random_rounds.h"
#include "tests/reference/random_tables.h"
#include "verifier/check.h"

namespace quadrille::driver {
namespace {

SendTable compiled(const std::string& schedule, MemoryEnvironment& environment) {
  environment.files["some.qd"] = schedule;
  Context context{environment};
  Result<SendTable> table = open_table({.file = "some.qd"}, context);
  REQUIRE(table.ok());
  return *std::move(table);
}

TEST_CASE("a sum that one switch makes is sent by each who has a part of it") {
  MemoryEnvironment environment;
  const SendTable table = compiled(
      "fabric star(4, switches: reduce)\ncollective reduce(root: 0)\nfor k in 1..3: at 1: send k -> 0\n", environment);
  Context context{environment};
  const Result<SendTable> apart = unfolded(table, context);
  REQUIRE(apart.ok());
  const Report report = check(*apart);
  CHECK(report.verdict == Verdict::holds);
  CHECK(report.messages == 3);
  CHECK(report.steps == 4);  // one link leads to 0
  CHECK(apart->fabric.switches_forward());
  const auto exported = run(ExportRequest{{.file = "some.qd"}, "msccl", "some.xml", {}, {}, true}, context);
  CHECK(exported.ok());
  CHECK_FALSE(run(ExportRequest{{.file = "some.qd"}, "msccl", "other.xml"}, context).ok());
}

TEST_CASE("right tables whose switches add up are right when they are unfolded, or are refused with a reason") {
  const std::uint64_t first = reference::first_seed();
  std::uint64_t unfolded_tables = 0;
  std::uint64_t refused = 0;
  for (std::uint64_t seed = first; seed < first + (tests::brief ? 3000 : 20000); ++seed) {
    SendTable table =
        seed % 2 == 0 ? reference::random_table(seed, false) : reference::random_rounds_table(seed, false);
    if (!table.collective.combining() || !table.fabric.has_switches()) continue;
    Rules rules = table.fabric.rules();
    rules.switches = Switching::reduce;
    table.fabric = table.fabric.with_rules(rules);
    if (check(table).verdict != Verdict::holds) continue;
    INFO("QUADRILLE_SEED=" << seed << " " << table.fabric.notation() << " " << table.collective.notation());
    MemoryEnvironment environment;
    Context context{environment};
    const Result<SendTable> apart = unfolded(table, context);
    if (!apart) {
      CHECK_FALSE(apart.diagnostics().front().message.empty());
      ++refused;
      continue;
    }
    CHECK(check(*apart).verdict == Verdict::holds);
    ++unfolded_tables;
  }
  MESSAGE(fmt::format("from seed {}: {} unfolded, {} refused", first, unfolded_tables, refused));
  CHECK(unfolded_tables > 20);
  CHECK(refused < unfolded_tables);
}

}  // namespace
}  // namespace quadrille::driver
