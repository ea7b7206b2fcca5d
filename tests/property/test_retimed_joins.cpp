// Retiming where packets join in switches: every row carries what it carried, so all hold what they held; nothing takes
// longer; and whoever judges tables says so.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "model/fabric_notation.h"
#include "model/text/evaluation_error.h"
#include "place/held/joined_rows.h"
#include "place/steps/retime_joined.h"
#include "tests/compiler/compile_text.h"
#include "tests/environment.h"
#include "tests/reference/agreement.h"
#include "tests/reference/random_joins.h"
#include "tests/reference/random_tables.h"
#include "verifier/check.h"

namespace {

using namespace quadrille;
using reference::Dice;

// Machines whose switches reduce, with and without lanes to spare.
Fabric reducing_fabric(Dice& dice) {
  std::string notation =
      dice.pick<std::string>({"star:5", "star:7", "fat_tree:levels=2", "fat_tree:levels=3",
                              "fat_tree:levels=3,capacity=exponential", "tree:arity=3,levels=2", "line:5"});
  notation += notation.find(':') == notation.npos ? ":" : ",";
  notation += "switches=reduce";
  if (dice.one_in(3)) notation += ",duplex=half";
  if (dice.one_in(3)) notation += ",ports=single";
  if (dice.one_in(4)) notation += dice.one_in(2) ? ",queue=none" : ",queue=1";
  auto fabric = parse_fabric({"test", notation}, 0);
  if (!fabric) return parse_fabric({"test", "star:5,switches=reduce"}, 0).value();
  return *fabric;
}

// Each row as a flight of one hop, those of a step in the order of the table.
Flights flights_of(const SendTable& table) {
  Flights flights;
  for (const auto& [step, row] : all_rows(table)) {
    const Channel& channel = table.fabric.channel(row.channel);
    Flight flight;
    flight.chunk = row.chunk;
    flight.source = channel.from;
    flight.target = channel.to;
    flight.first_hop = flights.hops.size();
    flight.hops = 1;
    flights.hops.push_back({row.channel, step.value});
    flights.list.push_back(flight);
  }
  return flights;
}

SendTable table_of(const Flights& flights, const SendTable& like, const Fabric& fabric) {
  const JoinedRows joined = joined_rows(flights, fabric, like.collective, {}, nullptr);
  std::vector<StoredRows::StepRow> rows;
  std::map<std::pair<std::uint32_t, ChannelId>, std::uint32_t> lanes;
  for (const JoinedRow& row : joined.rows) {
    const LaneId lane(lanes[{row.step, row.channel}]++ % fabric.channel(row.channel).capacity);
    rows.push_back({StepId(row.step), Row{row.channel, lane, flights.list[row.flight].chunk}});
  }
  return {fabric, like.collective, "retimed", {}, std::make_shared<StoredRows>(std::move(rows))};
}

// Rows without their steps.
std::multiset<std::pair<ChannelId, ChunkId>> sends_in(const SendTable& table) {
  std::multiset<std::pair<ChannelId, ChunkId>> sends;
  for (const auto& [step, row] : all_rows(table)) sends.emplace(row.channel, row.chunk);
  return sends;
}

std::uint64_t sum_of(const Report& report, std::initializer_list<Property> properties) {
  std::uint64_t sum = 0;
  for (const Property property : properties) sum += report.of(property).violations;
  return sum;
}

bool keeps_its_lanes(const Report& report) {
  return sum_of(report, {Property::well_formed, Property::contention_free, Property::capacity}) == 0;
}

// Random sends, on a machine whose switches reduce.
std::string joining_schedule(Dice& dice) {
  const auto fabric = dice.pick<std::string>({"star(5", "fat_tree(3", "fat_tree(2", "star(4"});
  const auto rules = dice.pick<std::string>({"", ", duplex: half", ", ports: single", ", queue: none"});
  std::string text = fmt::format(
      "fabric {}, switches: reduce{})\ncollective {}\n", fabric, rules,
      dice.pick<std::string>({"reduce(root: 0)", "allreduce", "allreduce(parts: 2)", "allreduce(operation: idempotent)",
                              "prefix", "exclusive_prefix", "reduce_scatter"}));
  const bool gathers = dice.one_in(2);
  const bool keeps = dice.one_in(4);
  for (std::uint32_t left = dice.from_to(1, 4); left > 0; --left) {
    const std::uint32_t step = dice.from_to(1, 12);
    if (gathers) {
      text += fmt::format("at {}: for k in 1..3: send k -> 0{}\n", step, keeps ? " keeping" : "");
      continue;
    }
    const std::uint32_t from = dice.below(4);
    text += fmt::format("at {}: send {} -> {}{}\n", step, from, (from + dice.from_to(1, 3)) % 4,
                        keeps && dice.one_in(2) ? " keeping" : "");
  }
  return text;
}

}  // namespace

TEST_CASE("rows that join are retimed with what they carry, and never later") {
  const std::uint64_t seed = reference::first_seed();
  std::uint64_t retimed = 0, sooner = 0, refused = 0, saved = 0;
  for (std::uint64_t i = 0; i < tests::share(3000); ++i) {
    Dice dice(seed + i);
    const Fabric fabric = reducing_fabric(dice);
    const Collective collective = reference::random_collective(dice, fabric.processors());
    if (!collective.combining()) continue;
    const SendTable written{fabric,
                            collective,
                            "written",
                            {},
                            std::make_shared<StoredRows>(reference::joining_rows(dice, fabric, collective))};
    const Flights flights = flights_of(written);
    const Report before = check(written);
    const auto seed_text = fmt::format("QUADRILLE_SEED={}\n{}", seed + i, reference::as_csv(written));
    Flights now;
    try {
      now = retimed_joined(flights, fabric, collective, fabric, {}, nullptr).flights;
    } catch (const EvaluationError& error) {
      ++refused;
      const std::string& message = error.diagnostic.message;
      const bool wrong = message.ends_with("rules of joining there") && !keeps_its_lanes(before);
      const bool expected = wrong || message.ends_with("in one step have no room there");
      CHECK_MESSAGE(expected, seed_text << error.diagnostic.message);
      continue;
    }
    ++retimed;
    const SendTable placed = table_of(now, written, fabric);
    const Report after = check(placed);
    const std::string text = seed_text + reference::as_csv(placed);
    CHECK_MESSAGE(keeps_its_lanes(after), text);
    for (const Property property : {Property::causal, Property::complete}) {
      CHECK_MESSAGE(after.of(property).violations == before.of(property).violations, text);
    }
    CHECK_MESSAGE(sends_in(placed) == sends_in(written), text);
    if (keeps_its_lanes(before)) CHECK_MESSAGE(after.steps <= before.steps, text);
    if (before.verdict == Verdict::holds)
      CHECK_MESSAGE(sum_of(after, {Property::causal, Property::complete}) == 0, text);
    const std::string differences = reference::disagreement(placed);
    CHECK_MESSAGE(differences.empty(), text << differences);
    if (after.steps < before.steps) ++sooner, saved += static_cast<std::uint64_t>(before.steps - after.steps);
  }
  MESSAGE(retimed << " retimed, " << sooner << " of them sooner, by " << saved << " steps; " << refused << " refused");
  CHECK(retimed > tests::share(300));
  CHECK(sooner > tests::share(50));
}

TEST_CASE("schedules that join are retimed to tables as right as theirs, on their own machine and on others") {
  const std::uint64_t seed = reference::first_seed();
  std::uint64_t retimed = 0, refused = 0;
  for (std::uint64_t i = 0; i < tests::share(2000); ++i) {
    Dice dice(seed + i);
    const std::string text = joining_schedule(dice);
    const Compiled written = compile_text(text);
    if (!written.table) continue;
    ElaborateOptions options;
    options.retime = true;
    const bool elsewhere = dice.one_in(3);
    if (elsewhere) {
      const auto other = dice.pick<std::string>({"ring:{}", "complete:{}", "line:{}", "star:{},switches=reduce"});
      const std::string notation = fmt::format(fmt::runtime(other), written.table->fabric.processors());
      options.fabric = parse_fabric({"test", notation}, 0).value();
    }
    const Compiled placed = compile_text(text, {}, options);
    const Report before = check(*written.table);
    if (!placed.table) {
      ++refused;
      CHECK_MESSAGE(placed.messages.find("cannot be retimed") != std::string::npos, text << placed.messages);
      continue;
    }
    ++retimed;
    const Report after = check(*placed.table);
    const std::string both = fmt::format("QUADRILLE_SEED={}\n{}{}{}", seed + i, text, reference::as_csv(*written.table),
                                         reference::as_csv(*placed.table));
    CHECK_MESSAGE(reference::disagreement(*placed.table).empty(), both);
    if (sum_of(before, {Property::causal, Property::complete}) == 0) {
      CHECK_MESSAGE(sum_of(after, {Property::causal, Property::complete}) == 0, both);
    }
    if (!elsewhere && keeps_its_lanes(before)) {
      CHECK_MESSAGE(keeps_its_lanes(after), both);
      CHECK_MESSAGE(after.steps <= before.steps, both);
    }
  }
  MESSAGE(retimed << " retimed, " << refused << " refused");
  CHECK(retimed > tests::share(500));
}

TEST_CASE("sends to one processor join on their way where they are retimed for switches that reduce") {
  const std::uint64_t seed = reference::first_seed();
  std::uint64_t retimed = 0, sooner = 0, joined = 0;
  for (std::uint64_t i = 0; i < tests::share(1000); ++i) {
    Dice dice(seed + i);
    const auto timing = dice.pick<std::string>({"", ", timing: rounds"});
    std::string text = fmt::format(
        "fabric complete(8{})\ncollective {}\n", timing,
        dice.pick<std::string>({"reduce(root: 0)", "allreduce", "prefix", "allreduce(operation: idempotent)"}));
    for (std::uint32_t left = dice.from_to(1, 3); left > 0; --left) {
      text += fmt::format("{}for k in processors if k mod {} == {} and k != {}: send k -> {}\n",
                          left == 1 ? "" : "then ", dice.from_to(1, 3), dice.below(2), left, left);
    }
    const Compiled own = compile_text(text);
    REQUIRE_MESSAGE(own.table, own.messages << text);
    const Report before = check(*own.table);
    const auto machine =
        dice.pick<std::string>({"star:8", "fat_tree:levels=3", "fat_tree:levels=3,capacity=exponential",
                                "star:8,ports=single", "fat_tree:levels=3,duplex=half"});
    std::optional<Report> copying;
    for (const char* switches : {"copy", "reduce"}) {
      ElaborateOptions options;
      options.retime = true;
      options.timing = Timing::steps;
      options.fabric = parse_fabric({"test", machine + ",switches=" + switches}, 0).value();
      const Compiled placed = compile_text(text, {}, options);
      if (!placed.table) {
        CHECK_MESSAGE(placed.messages.find("cannot be retimed") != std::string::npos, text << placed.messages);
        continue;
      }
      const Report after = check(*placed.table);
      const std::string both =
          fmt::format("QUADRILLE_SEED={} {}\n{}{}", seed + i, machine, text, reference::as_csv(*placed.table));
      const std::string differences = reference::disagreement(*placed.table);
      CHECK_MESSAGE(differences.empty(), differences << both);
      CHECK_MESSAGE(keeps_its_lanes(after), both);
      CHECK_MESSAGE(after.of(Property::causal).violations == 0, both);
      // Not how often what is wrong goes wrong.
      if (before.of(Property::complete).violations == 0)
        CHECK_MESSAGE(after.of(Property::complete).violations == 0, both);
      ++retimed;
      if (!copying) {
        copying = after;
      } else {
        sooner += after.steps < copying->steps ? 1 : 0;
        joined += after.rows < copying->rows ? 1 : 0;
      }
    }
  }
  MESSAGE(retimed << " retimed, " << joined << " that join, " << sooner << " of them sooner than where switches copy");
  CHECK(sooner > tests::share(200));
}
