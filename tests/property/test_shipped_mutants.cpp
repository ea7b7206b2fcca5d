// Every shipped schedule, small, with every single row changed: the checkers must say the same of each mutant.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compiler/compile.h"
#include "compiler/ir.h"
#include "dsl/load.h"
#include "tests/environment.h"
#include "tests/reference/agreement.h"
#include "tests/reference/compiled.h"
#include "tests/reference/mutants.h"
#include "tests/reference/reference_check.h"

namespace {

using namespace quadrille;

// Arguments beside the usual ones below.
const std::vector<std::pair<std::string, Arguments>> more_arguments = {
    {"total_exchange", {{"L", "3"}, {"capacity", "1,1,2"}}},
    {"total_exchange_paired", {{"L", "3"}, {"capacity", "1,2,2"}}},
    {"multinode_broadcast", {{"L", "3"}, {"capacity", "1,2,2"}}},
    {"scatter", {{"L", "3"}, {"capacity", "2,2,3"}}},
    {"total_exchange_quartered", {{"L", "4"}}},
};

// What each parameter is tried with; those of other names with `usual_numbers`.
const std::map<std::string, std::vector<std::string>> usual_arguments = {
    {"L", {"1", "2", "3"}}, {"N", {"2", "3", "5"}}, {"n1", {"2", "3"}}, {"n2", {"2", "3"}}};
const std::vector<std::string> usual_numbers = {"1", "2", "3", "4"};
const std::vector<std::string> usual_patterns = {"constant", "exponential"};

// The most rows of a table whose mutants are all tried, some 13 a row; of the smallest table as many are tried in any
// case as such a table would have. The sanitizers look at less of the same.
const std::uint64_t most_rows = tests::brief ? 16 : tests::long_run() ? 400 : 200;
constexpr std::uint64_t mutants_a_row = 13;

// Every combination of usual arguments for the schedule's parameters.
std::vector<Arguments> combinations(const ir::Schedule& schedule) {
  std::vector<Arguments> result = {{}};
  for (const ir::Parameter& parameter : schedule.parameters) {
    if (parameter.idle || parameter.set || parameter.list) continue;  // those have a default
    const auto named = usual_arguments.find(parameter.name);
    const auto& values = parameter.pattern                ? usual_patterns
                         : named != usual_arguments.end() ? named->second
                                                          : usual_numbers;
    std::vector<Arguments> longer;
    for (const Arguments& arguments : result) {
      for (const std::string& value : values) {
        longer.push_back(arguments);
        longer.back()[parameter.name] = value;
      }
    }
    result = std::move(longer);
  }
  return result;
}

// The schedule's small tables; arguments that it does not accept are passed over.
std::vector<SendTable> small_tables(const ShippedFile& shipped) {
  std::vector<SendTable> tables;
  const reference::Compiled compiled = reference::compiled(std::string(shipped.text), std::string(shipped.name));
  CHECK_MESSAGE(compiled.schedule, compiled.errors);
  const auto& schedule = compiled.schedule;
  if (!schedule) return tables;
  auto arguments = combinations(*schedule);
  for (const auto& [name, more] : more_arguments) {
    if (name == shipped.name) arguments.push_back(more);
  }
  for (const Arguments& each : arguments) {
    if (const auto table = elaborate(schedule, each)) tables.push_back(reference::without_optimal_claims(*table));
  }
  return tables;
}

struct MutantTally {
  std::uint64_t tables = 0;
  std::uint64_t tried = 0;
  std::uint64_t killed = 0;                        // the verdict no longer holds
  std::uint64_t noticed = 0;                       // it holds, but the number of non_redundant warnings has changed
  std::map<std::string, std::uint64_t> survivors;  // the others, by kind
};

void try_mutants(const SendTable& table, MutantTally& tally) {
  const auto whole = reference::judge(table);
  ++tally.tables;
  const bool all = all_rows(table).size() <= most_rows;
  std::uint64_t left = mutants_a_row * most_rows;
  reference::for_each_mutant(table, [&](const reference::Mutant& mutant) {
    const auto found = reference::judge(mutant.table);
    const bool dead = found.verdict != Verdict::holds;
    ++tally.tried;
    tally.killed += dead;
    const bool noticed = found.violations[reference::non_redundant] != whole.violations[reference::non_redundant];
    tally.noticed += !dead && noticed;
    if (!dead && !noticed) ++tally.survivors[mutant.kind];
    const bool agree = reference::disagreement(mutant.table).empty();
    CHECK_MESSAGE(agree, mutant.what << "\n" << reference::explained(mutant.table));
    return agree && (all || --left > 0);  // one is enough for a table
  });
}

}  // namespace

TEST_CASE("checkers agree on every mutant of every shipped schedule") {
  MutantTally all;
  for (const ShippedFile& shipped : shipped_schedules()) {
    CAPTURE(shipped.name);
    MutantTally tally;
    const std::vector<SendTable> tables = small_tables(shipped);
    // Mutants are of rows; without their messages those of rounds are mutants of another table (test_catalogue.cpp).
    if (shipped.text.find("timing: rounds") != shipped.text.npos || shipped.name.starts_with("wormhole_")) continue;
    const auto smallest = std::min_element(
        tables.begin(), tables.end(),
        [](const SendTable& one, const SendTable& other) { return all_rows(one).size() < all_rows(other).size(); });
    for (auto it = tables.begin(); it != tables.end(); ++it) {
      const SendTable& table = *it;
      CAPTURE(table.schedule);
      const std::string differences = reference::disagreement(table);
      CHECK_MESSAGE(differences.empty(), differences);
      CHECK(reference::judge(table).verdict == Verdict::holds);
      if (it == smallest || all_rows(table).size() <= most_rows) try_mutants(table, tally);
    }
    CHECK_MESSAGE(tally.tried > 0, "no small table: add arguments for its parameters");
    MESSAGE(fmt::format("{}: {} tables, {} mutants tried, {} killed, {} more noticed", shipped.name, tally.tables,
                        tally.tried, tally.killed, tally.noticed));
    all.tried += tally.tried;
    all.killed += tally.killed;
    all.noticed += tally.noticed;
    for (const auto& [kind, count] : tally.survivors) all.survivors[kind] += count;
  }
  MESSAGE(fmt::format("in all: {} mutants tried, {} killed, {} more noticed", all.tried, all.killed, all.noticed));
  for (const auto& [kind, count] : all.survivors) MESSAGE(fmt::format("survivors, {}: {}", kind, count));
}
