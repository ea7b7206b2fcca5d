// What the checker says of invariants is what the slow reference says.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tests/environment.h"
#include "tests/reference/agreement.h"
#include "tests/reference/random_rounds.h"
#include "tests/reference/random_tables.h"
#include "tests/reference/reference_invariants.h"
#include "verifier/check.h"

namespace {

using namespace quadrille;
using reference::Dice;

const std::uint64_t tables_with_statements = tests::brief ? 500 : 5000;

std::vector<OriginRange> ranges(const std::set<std::int64_t>& numbers) {
  std::vector<OriginRange> result;
  for (const std::int64_t x : numbers) {
    if (!result.empty() && result.back().last + 1 == x) {
      result.back().last = x;
    } else {
      result.push_back({x, x});
    }
  }
  return result;
}

// Of some packet's name and some processor: the truth, or nearly.
HeldOrigins random_statement(Dice& dice, const SendTable& table, const reference::HeldAtEnd& held) {
  const Collective& collective = table.collective;
  HeldOrigins statement;
  statement.processor = NodeId(dice.below(table.fabric.processors()));
  std::uint64_t chunk = dice.below(collective.chunk_ids());
  for (int tries = 0; tries < 100 && !collective.has(ChunkId(chunk)); ++tries)
    chunk = (chunk + 1) % collective.chunk_ids();
  const ChunkName name = collective.has(ChunkId(chunk)) ? collective.name(ChunkId(chunk)) : ChunkName{};
  if (!collective.combining()) statement.target = name.target;
  statement.part = name.part;
  statement.at_least = dice.one_in(3);
  std::set<std::int64_t> origins;
  if (const auto it = held.find({statement.processor.value, statement.target, statement.part}); it != held.end())
    origins.insert(it->second.begin(), it->second.end());
  const auto any = [&] { return std::int64_t{dice.below(collective.processors() + 2)} - 1; };
  if (dice.one_in(4)) origins.insert(any());
  if (dice.one_in(4)) origins.erase(any());
  statement.origins = ranges(origins);
  return statement;
}

// Statements about steps from 0 to one after the last.
TableInvariant random_invariant(Dice& dice, const SendTable& table) {
  std::vector<std::uint32_t> steps;
  std::vector<std::vector<HeldOrigins>> statements;
  const auto last = static_cast<std::uint32_t>(reference::judge(table).steps);
  std::set<std::uint32_t> chosen;  // the last step may be far away
  for (std::uint32_t count = dice.below(6); count > 0; --count)
    chosen.insert(dice.one_in(2) ? dice.below(std::min(last, 12U) + 2) : dice.below(std::uint64_t{last} + 2));
  for (const std::uint32_t step : chosen) {
    const reference::HeldAtEnd held = reference::held_at_end(reference::up_to(table, step));
    steps.push_back(step);
    statements.emplace_back();
    for (std::uint32_t count = dice.below(8); count > 0; --count)
      statements.back().push_back(random_statement(dice, table, held));
  }
  const auto say = [steps, statements](std::uint32_t step, const Limits&, const TableInvariant::Visit& visit) {
    const auto at = static_cast<std::size_t>(std::find(steps.begin(), steps.end(), step) - steps.begin());
    for (const HeldOrigins& statement : statements[at]) {
      if (!visit(statement)) break;
    }
    return std::optional<Diagnostic>();
  };
  return {"random", {}, [steps](const Limits&) { return steps; }, say};
}

// How many tables have wrong statements, and how many have none.
std::pair<int, int> compare(SendTable (*random)(std::uint64_t, bool)) {
  int violated = 0;
  int held = 0;
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + tables_with_statements; ++seed) {
    SendTable table = random(seed, true);
    Dice dice(seed);
    for (std::uint32_t count = dice.below(3); count > 0; --count)
      table.invariants.push_back(random_invariant(dice, table));
    const Report report = check(table);
    const std::uint64_t wrong = reference::wrong_statements(table);
    if (report.of(Property::invariants).violations != wrong) {
      FAIL("QUADRILLE_SEED=" << seed << ": " << report.of(Property::invariants).violations << ", but " << wrong << "\n"
                             << reference::as_csv(table));
    }
    const Verdict verdict = wrong > 0 ? Verdict::violated : Verdict::holds;
    REQUIRE(report.of(Property::invariants).verdict == verdict);
    table.invariants.clear();  // they change nothing else
    const Report without = check(table);
    for (std::size_t i = 0; i < property_count; ++i) {
      const auto property = static_cast<Property>(i);
      if (property != Property::invariants) REQUIRE(without.of(property).violations == report.of(property).violations);
    }
    (wrong > 0 ? violated : held) += report.invariant_statements > 0 ? 1 : 0;
  }
  MESSAGE(fmt::format("{} tables: the invariants of {} hold, of {} not", tables_with_statements, held, violated));
  return {violated, held};
}

}  // namespace

TEST_CASE("invariants of random tables are violated as often as the reference says") {
  const auto [violated, held] = compare(reference::random_table);
  CHECK(violated > static_cast<int>(tables_with_statements) / 10);
  CHECK(held > static_cast<int>(tables_with_statements) / 20);
}

TEST_CASE("invariants of random tables in rounds are violated as often as the reference says") {
  const auto [violated, held] = compare(reference::random_rounds_table);
  CHECK(violated > static_cast<int>(tables_with_statements) / 10);
  CHECK(held > static_cast<int>(tables_with_statements) / 20);
}
