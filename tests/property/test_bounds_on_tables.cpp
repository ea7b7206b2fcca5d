// No lower bound is above what some table does: random tables of all collectives, operations and rules for switches, in
// steps and in rounds, with words that processors keep. The planner's tables are wasteful; what they cross is the pairs
// of features that no search finds schedules for.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "driver/search/least_time.h"
#include "tests/environment.h"
#include "tests/reference/agreement.h"
#include "tests/reference/random_rounds.h"
#include "tests/reference/random_tables.h"
#include "verifier/bounds.h"
#include "verifier/check.h"

namespace {

using namespace quadrille;

const std::uint64_t tables_tried = tests::brief ? 1500 : 8000;

// What a bound says of the table that it must not; empty if all is well.
std::string above(const std::vector<Bound>& bounds, std::uint64_t measured) {
  for (const Bound& bound : bounds) {
    if (bound.impossible() || *bound.steps > measured) {
      return fmt::format("{} is less than the bound {}: {}", measured, bound.steps.value_or(0), bound.reason);
    }
  }
  return {};
}

std::string wrong_bound(const SendTable& table, const Report& report) {
  const bool rounds = table.fabric.in_rounds();
  std::string wrong =
      above(rounds ? round_bounds(table.fabric, table.collective) : lower_bounds(table.fabric, table.collective),
            report.steps);
  if (!wrong.empty() || !rounds) return wrong;
  const std::vector<Bound> volume = volume_bounds(table.fabric, table.collective);
  wrong = above(volume, *report.volume);
  if (!wrong.empty() || !report.load) return wrong;
  const double least = driver::least_load(table.fabric, table.collective, volume.front(), {});
  return least <= report.load->value() ? ""
                                       : fmt::format("the load {} is less than {}", to_string(*report.load), least);
}

}  // namespace

TEST_CASE("no bound is above a table that holds, whatever its rules, its operation and its words") {
  const std::uint64_t first = reference::first_seed();
  std::uint64_t holding = 0;
  std::uint64_t worded = 0;
  for (std::uint64_t seed = first; seed < first + tables_tried; ++seed) {
    for (const bool rounds : {false, true}) {
      const SendTable table = rounds ? reference::random_rounds_table(seed, true) : reference::random_table(seed, true);
      const Report report = check(table);
      if (report.verdict != Verdict::holds) continue;
      ++holding;
      worded += table.rows->has_partial_reductions();
      const std::string wrong = wrong_bound(table, report);
      CHECK_MESSAGE(wrong.empty(), "QUADRILLE_SEED=" << seed << " " << table.fabric.notation() << " "
                                                     << table.collective.notation() << ": " << wrong);
    }
  }
  MESSAGE(fmt::format("{} tables that hold, {} with words, from seed {}", holding, worded, first));
  CHECK(holding > tables_tried / 10);
  CHECK(worded > tables_tried / 200);
}
