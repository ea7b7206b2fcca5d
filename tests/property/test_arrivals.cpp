// What becomes of arrivals, worked out of a table: as of the schedule that it was made of, and so that all that judges
// tables says what it said before.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "compiler/rows/arrival_rows.h"
#include "formats/table_io.h"
#include "model/fabric_notation.h"
#include "tests/compiler/compile_text.h"
#include "tests/environment.h"
#include "tests/reference/agreement.h"
#include "tests/reference/random_rounds.h"
#include "tests/reference/random_tables.h"
#include "verifier/check.h"

namespace {

using namespace quadrille;
using reference::Dice;

// Sends of any processors to any others, right or wrong; some to be kept.
std::string random_combining_schedule(Dice& dice) {
  const auto fabric = dice.pick<std::string>({"star(5", "line(4", "fat_tree(3", "complete(4", "ring(6", "fat_tree(2"});
  const auto switches = dice.pick<std::string>({"", ", switches: reduce", ", switches: forward"});
  const auto timing = dice.pick<std::string>({"", ", timing: rounds", ", timing: rounds, paths: shared"});
  std::string text = fmt::format("fabric {}{}{})\n", fabric, switches, timing);
  text += fmt::format("collective {}\n",
                      dice.pick<std::string>({"reduce(root: 0)", "allreduce", "allreduce(operation: idempotent)",
                                              "prefix", "exclusive_prefix", "reduce_scatter", "allreduce(parts: 2)"}));
  const bool keeps = dice.one_in(2);
  for (std::uint32_t left = dice.from_to(1, 14); left > 0; --left) {
    const std::uint32_t from = dice.below(4);
    const std::uint32_t to = (from + dice.from_to(1, 3)) % 4;
    text += fmt::format("at {}: send {} -> {}{}\n", dice.from_to(1, 9), from, to,
                        keeps && dice.one_in(3) ? " keeping" : "");
  }
  return text;
}

Compiled with_arrivals_said(const std::string& text) {
  ElaborateOptions options;
  options.arrivals = true;
  return compile_text(text, {}, options);
}

SendTable read_again(const SendTable& table, const std::string& form) {
  std::string bytes;
  REQUIRE(write_table(table, form, [&](std::string_view piece) { return bytes += piece, true; }));
  const auto again = read_table({"table." + form, bytes}, 0, {});
  REQUIRE_MESSAGE(again.ok(), again.diagnostics().front().message);
  return *again;
}

std::vector<std::uint64_t> counts(const SendTable& table) {
  const Report report = check(table);
  std::vector<std::uint64_t> result{static_cast<std::uint64_t>(report.verdict)};
  for (const PropertyResult& property : report.properties) result.push_back(property.violations);
  return result;
}

struct Told {
  std::uint64_t arrivals = 0, told = 0;
};

// How many rows into their targets say what becomes of what they bring.
Told told_in(const SendTable& table) {
  Told told;
  for (const auto cursor = table.rows->open(); const auto step = cursor->next();) {
    for (std::size_t i = 0; i < step->rows.size(); ++i) {
      const NodeId to = table.fabric.channel(step->rows[i].channel).to;
      if (table.collective.name(step->rows[i].chunk).target != to.value) continue;
      ++told.arrivals;
      told.told += step->uses[i].arrival == Arrival::joined ? 0 : 1;
    }
  }
  return told;
}

}  // namespace

TEST_CASE("arrivals worked out of a table, in any form, are those of its schedule") {
  const std::uint64_t seed = reference::first_seed();
  std::uint64_t compared = 0, kept = 0, joining = 0;
  for (std::uint64_t i = 0; i < tests::share(1500); ++i) {
    Dice dice(seed + i);
    const std::string text = random_combining_schedule(dice);
    const Compiled plain = compile_text(text);
    const Compiled said = with_arrivals_said(text);
    REQUIRE(plain.table.has_value() == said.table.has_value());
    if (!plain.table || all_rows(*plain.table).empty()) continue;
    ++compared;
    kept += plain.table->rows->has_partial_reductions() ? 1 : 0;
    const Rules& rules = plain.table->fabric.rules();
    joining += rules.switches_reduce() && rules.in_rounds() ? 1 : 0;
    const std::string expected = reference::as_csv(*said.table);
    for (const char* form : {"csv", "json", "binary"}) {
      const std::string met = reference::as_csv(with_arrivals(read_again(*plain.table, form)));
      CHECK_MESSAGE(met == expected, "QUADRILLE_SEED=" << seed + i << " " << form << "\n" << text << met << expected);
    }
    CHECK(reference::as_csv(with_arrivals(*said.table)) == expected);
  }
  MESSAGE(compared << " schedules, " << kept << " that keep, " << joining << " on rounds that join");
  CHECK(compared > tests::share(500));
  CHECK(kept > tests::share(100));
  CHECK(joining > tests::share(100));
}

TEST_CASE("with arrivals a table is as right or wrong as without, in each of its properties") {
  const std::uint64_t seed = reference::first_seed();
  Told all;
  for (std::uint64_t i = 0; i < tests::share(3000); ++i) {
    const bool words = i % 4 > 1;
    const SendTable table =
        i % 2 == 0 ? reference::random_table(seed + i, words) : reference::random_rounds_table(seed + i, words);
    if (!table.collective.combining()) {
      CHECK(with_arrivals(table).rows == table.rows);
      continue;
    }
    const SendTable said = with_arrivals(table);
    CHECK_MESSAGE(counts(said) == counts(table), "QUADRILLE_SEED=" << seed + i << "\n" << reference::as_csv(said));
    const std::string differences = reference::disagreement(said);
    CHECK_MESSAGE(differences.empty(), "QUADRILLE_SEED=" << seed + i << "\n" << differences);
    CHECK(reference::as_csv(with_arrivals(said)) == reference::as_csv(said));
    const Told told = told_in(said);
    all.arrivals += told.arrivals, all.told += told.told;
  }
  MESSAGE(all.told << " of " << all.arrivals << " arrivals are told");
  CHECK(2 * all.told > all.arrivals);
}

TEST_CASE("where a round's messages join, the row into the receiver says what becomes of all of them") {
  const std::string text =
      "fabric star(4, switches: reduce, timing: rounds, paths: shared)\ncollective allreduce\n"
      "for k in 1..3: send k -> 0\nthen for k in 1..3: send 0 -> k\n";
  const Compiled said = with_arrivals_said(text);
  REQUIRE_MESSAGE(said.table, said.messages);
  const std::string rows = reference::as_csv(*said.table);
  CHECK_MESSAGE(rows.find("1,1.0,0,0,1,0,0,0,,combine\n") != rows.npos, rows);
  CHECK_MESSAGE(rows.find("2,1.0,3,0,0,3,0,2,,store\n") != rows.npos, rows);
  CHECK(check(*said.table).verdict == Verdict::holds);
}
