// A table placed anew is the schedule placed anew that is written of it: the same rows, on the same fabric and others.
// What has no schedule is placed if its sends can be told, and refused if not.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/compile.h"
#include "compiler/decompile/decompile.h"
#include "tests/environment.h"
#include "tests/reference/compiled.h"
#include "tests/reference/random_joins.h"
#include "tests/reference/random_rounds.h"
#include "tests/reference/random_tables.h"

namespace quadrille::test_retimed_tables {

// Rows without lanes or names of switches, in the order of all_rows.
std::vector<std::string> rows_of(const SendTable& table) {
  std::vector<std::string> rows;
  for (const auto& [step, row] : all_rows(table)) {
    const Channel& channel = table.fabric.channel(row.channel);
    rows.push_back(fmt::format("{} {} {} {} {}", step.value, channel.from.value, channel.to.value, row.lane.value,
                               table.collective.label(row.chunk)));
  }
  return rows;
}

class Comparison {
 public:
  void add(const SendTable& table, const ElaborateOptions& options) {
    const auto text = decompile(table);
    const Result<SendTable> placed = retimed(table, options);
    if (!text) {
      CHECK(!placed);
      return;
    }
    CAPTURE(*text);
    const auto compiled = reference::compiled(*text, "again");
    REQUIRE_MESSAGE(compiled.schedule, compiled.errors);
    ElaborateOptions as_schedule = options;
    as_schedule.retime = true;
    const Result<SendTable> expected = elaborate(compiled.schedule, {}, as_schedule);
    if (!expected) {
      ++refused_;
      CHECK_MESSAGE(!placed, expected.diagnostics().front().message);
      return;
    }
    ++placed_;
    REQUIRE_MESSAGE(placed, placed.diagnostics().front().message);
    CHECK(placed->retiming->as == expected->retiming->as);
    CHECK(placed->retiming->steps_before == expected->retiming->steps_before);
    CHECK(placed->retiming->steps == expected->retiming->steps);
    CHECK(rows_of(*placed) == rows_of(*expected));
    CHECK(placed->schedule == table.schedule);
    if (!options.fabric) CHECK(placed->fabric == table.fabric);
  }
  std::uint64_t placed() const { return placed_; }
  std::string counted() const { return fmt::format("{} placed, {} refused", placed_, refused_); }

 private:
  std::uint64_t placed_ = 0;
  std::uint64_t refused_ = 0;
};

// On its own fabric, and with other rules, or other channels.
void add_everywhere(Comparison& comparison, const SendTable& table, reference::Dice& dice) {
  ElaborateOptions options;
  options.arrivals = dice.one_in(4);
  comparison.add(table, options);
  Rules rules = table.fabric.rules();
  rules.switches = static_cast<Switching>(dice.below(3));
  if (dice.one_in(4)) rules.ports = Ports::single;
  if (dice.one_in(3)) options.timing = dice.one_in(2) ? Timing::rounds : Timing::steps;
  options.fabric = table.fabric.with_rules(rules);
  for (int tries = 0; dice.one_in(2) && tries < 20; ++tries) {
    const Fabric other = reference::random_fabric(dice);
    if (other.processors() != table.fabric.processors() || !reference::each_reaches_each(other)) continue;
    options.fabric = other;
    break;
  }
  comparison.add(table, options);
}

// Seed 130106: sends that wait stand before others, and keep the lanes of their places.
TEST_CASE("a random table placed anew is its schedule placed anew") {
  Comparison comparison;
  const std::uint64_t first = reference::first_seed();
  const std::uint64_t seeds = tests::share(3000);
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    CAPTURE(seed);
    reference::Dice dice(seed);
    add_everywhere(comparison, reference::random_table(seed, dice.one_in(10)), dice);
    add_everywhere(comparison, reference::random_rounds_table(seed, dice.one_in(10)), dice);
    Rules rules;
    rules.switches = Switching::reduce;
    const Fabric on = reference::random_fabric(dice).with_rules(rules);
    const Collective collective = reference::random_collective(dice, on.processors());
    if (!collective.combining()) continue;
    const auto rows = std::make_shared<StoredRows>(reference::joining_rows(dice, on, collective));
    add_everywhere(comparison, {on, collective, "joins", {}, rows}, dice);
  }
  MESSAGE(comparison.counted());
  CHECK(comparison.placed() > seeds);
}

}  // namespace quadrille::test_retimed_tables
