// The fast checker, the simulator and the slow reference checker must say the same of every table.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "formats/table_io.h"
#include "runtime/replay.h"
#include "tests/environment.h"
#include "tests/reference/agreement.h"
#include "tests/reference/mutants.h"
#include "tests/reference/random_rounds.h"
#include "tests/reference/random_tables.h"
#include "tests/reference/reference_check.h"
#include "tests/reference/round_messages.h"

namespace {

using namespace quadrille;

const std::uint64_t random_tables = tests::brief ? 6000 : 20000;
const std::uint64_t mutated_tables = tests::brief ? 20 : 60;

// Whether the reference finds something else where switches copy.
bool switches_matter(const SendTable& table, const reference::Findings& found) {
  Rules rules = table.fabric.rules();
  rules.switches = Switching::copy;
  SendTable copied = table;
  copied.fabric = table.fabric.with_rules(rules);
  return reference::judge(copied).violations != found.violations;
}

// Whether ways join in some message.
bool joins(const SendTable& table) {
  const auto messages = reference::messages_of(table).all;
  return std::any_of(messages.begin(), messages.end(), [](const auto& message) { return message.joins; });
}

std::vector<std::string> saved_tables() {
  const std::filesystem::path folder = std::filesystem::path(QUADRILLE_SOURCE_FOLDER) / "tests/property/saved";
  std::vector<std::string> paths;
  if (!std::filesystem::exists(folder)) return paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".csv") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

TEST_CASE("checkers agree on every table that they once disagreed on") {
  for (const std::string& path : saved_tables()) {
    CAPTURE(path);
    Sources sources;
    const auto table = load_table(path, sources);
    REQUIRE_MESSAGE(table.ok(), render(table.diagnostics(), sources));
    const std::string differences = reference::disagreement(*table);
    CHECK_MESSAGE(differences.empty(), differences);
  }
}

TEST_CASE("checkers agree on random tables") {
  std::uint64_t holding = 0;
  std::uint64_t worded = 0;               // of these: those that say something of words
  std::uint64_t disagree = 0;             // those with results that were added up in several orders
  std::uint64_t nearly = 0;               // one property only is violated
  std::uint64_t holding_by_rule[3] = {};  // tables for which the rule of their switches matters
  std::uint64_t broken_by_rule[3] = {};
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + random_tables; ++seed) {
    const SendTable table = reference::random_table(seed, true);
    const std::string differences = reference::disagreement(table);
    const auto found = reference::judge(table);
    holding += found.verdict == Verdict::holds;
    worded += found.verdict == Verdict::holds && table.rows->has_partial_reductions();
    disagree += found.violations[reference::agreement] > 0;
    const auto rule = static_cast<std::size_t>(table.fabric.rules().switches);
    if (rule > 0 && switches_matter(table, found)) {
      ++(found.verdict == Verdict::holds ? holding_by_rule : broken_by_rule)[rule];
    }
    nearly += std::count_if(found.violations.begin(), found.violations.end(), [](auto n) { return n > 0; }) == 1;
    if (!differences.empty()) FAIL("QUADRILLE_SEED=" << seed << "\n" << reference::explained(table));
  }
  MESSAGE(fmt::format("{} random tables from seed {}: {} hold ({} with words), {} break one rule, {} do not agree",
                      random_tables, first, holding, worded, nearly, disagree));
  MESSAGE(fmt::format("the rule for switches makes a difference: forward {} hold, {} do not; reduce {} and {}",
                      holding_by_rule[1], broken_by_rule[1], holding_by_rule[2], broken_by_rule[2]));
  CHECK(broken_by_rule[1] > random_tables / 100);
  CHECK(holding_by_rule[2] > random_tables / 1000);
  CHECK(broken_by_rule[2] > random_tables / 200);
  CHECK(holding > random_tables / 20);
  CHECK(nearly > random_tables / 20);
  CHECK(worded > random_tables / 200);
  CHECK(disagree > random_tables / 1000);
}

TEST_CASE("checkers agree on random tables in rounds") {
  std::uint64_t holding = 0;
  std::uint64_t worded = 0;    // of these: those that say something of words
  std::uint64_t disagree = 0;  // those with results that were added up in several orders
  std::uint64_t nearly = 0;
  std::uint64_t joining = 0;  // of those that hold: those with messages whose ways join
  std::uint64_t broken_by_rule[3] = {};
  const std::uint64_t first = reference::first_seed();
  for (std::uint64_t seed = first; seed < first + random_tables; ++seed) {
    const SendTable table = reference::random_rounds_table(seed, true);
    const std::string differences = reference::disagreement(table);
    const auto found = reference::judge(table);
    holding += found.verdict == Verdict::holds;
    worded += found.verdict == Verdict::holds && table.rows->has_partial_reductions();
    disagree += found.violations[reference::agreement] > 0;
    nearly += std::count_if(found.violations.begin(), found.violations.end(), [](auto n) { return n > 0; }) == 1;
    const auto rule = static_cast<std::size_t>(table.fabric.rules().switches);
    if (rule > 0 && found.verdict != Verdict::holds && switches_matter(table, found)) ++broken_by_rule[rule];
    joining += found.verdict == Verdict::holds && joins(table);
    if (!differences.empty()) FAIL("QUADRILLE_SEED=" << seed << "\n" << differences << reference::as_csv(table));
  }
  MESSAGE(fmt::format("{} random tables from seed {}: {} hold ({} with words), {} break one rule, {} do not agree",
                      random_tables, first, holding, worded, nearly, disagree));
  MESSAGE(fmt::format("with ways that join: {} that hold; the rule for switches breaks {} that forward, {} that reduce",
                      joining, broken_by_rule[1], broken_by_rule[2]));
  CHECK(joining > random_tables / 1000);
  CHECK(broken_by_rule[1] > random_tables / 100);
  CHECK(broken_by_rule[2] > random_tables / 500);
  CHECK(holding > random_tables / 10);
  CHECK(nearly > random_tables / 20);
  CHECK(worded > random_tables / 200);
}

TEST_CASE("checkers agree on every mutant of random tables that hold") {
  std::uint64_t tables = 0;
  std::uint64_t tried = 0;
  std::uint64_t killed = 0;
  for (std::uint64_t seed = reference::first_seed(); tables < mutated_tables; ++seed) {
    const SendTable table = reference::random_table(seed, true);
    const auto whole = reference::judge(table);
    if (whole.verdict != Verdict::holds || whole.rows < 5 || whole.rows > 120) continue;
    ++tables;
    reference::for_each_mutant(table, [&](const reference::Mutant& mutant) {
      const auto found = reference::judge(mutant.table);
      ++tried;
      killed += found.verdict != Verdict::holds;
      const bool agree = reference::disagreement(mutant.table).empty();
      if (!agree) FAIL("QUADRILLE_SEED=" << seed << " " << mutant.what << "\n" << reference::explained(mutant.table));
      return agree;
    });
  }
  MESSAGE(fmt::format("{} mutants of {} tables, {} of them no longer hold", tried, tables, killed));
  CHECK(tried > 0);
}
