// No schedule that ships takes less time than the lower bound on it: on random fabrics in rounds, with links of random
// speeds on some, for random costs and sizes; in lock step the whole bound, by dependency each of its terms.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compiler/compile.h"
#include "driver/inputs/message_time.h"
#include "driver/search/fit.h"
#include "driver/search/known_arguments.h"
#include "driver/search/least_time.h"
#include "dsl/load.h"
#include "runtime/times/timed_replay.h"
#include "tests/environment.h"
#include "tests/reference/fabrics_with_speeds.h"
#include "tests/reference/random_tables.h"
#include "verifier/check.h"

namespace {

using namespace quadrille;

const std::uint64_t fabrics_tried = tests::brief ? 60 : 400;
constexpr double rounding = 1e-9;

std::vector<std::shared_ptr<const ir::Schedule>> shipped() {
  std::vector<std::shared_ptr<const ir::Schedule>> all;
  for (const ShippedFile& file : shipped_schedules()) {
    const std::string text(file.text);
    if (text.find("timing: rounds") == text.npos) continue;
    Sources sources;
    const auto program = load({std::string(file.name), text}, {}, sources);
    REQUIRE(program.ok());
    const auto schedule = compile(*program, std::string(file.name));
    REQUIRE(schedule.ok());
    all.push_back(*schedule);
  }
  return all;
}

Fabric random_machine(reference::Dice& dice) {
  Fabric fabric = reference::random_fabric(dice);
  Rules rules = fabric.rules();
  rules.timing = Timing::rounds;
  rules.paths = dice.one_in(3) ? Paths::held : Paths::shared;
  rules.queue = {};
  fabric = fabric.with_rules(rules);
  return dice.one_in(3) ? reference::with_random_speeds(fabric, dice) : fabric;
}

Collective random_question(reference::Dice& dice, std::uint32_t processors) {
  constexpr std::array names = {"broadcast", "allgather",      "total_exchange", "allreduce",
                                "reduce",    "reduce_scatter", "scatter",        "gather"};
  return parse_collective({"", names[dice.below(names.size())]}, 0, processors).value();
}

struct Tally {
  std::uint64_t tables = 0;
  std::uint64_t wide = 0;  // on shared paths of several lanes
};

void compare(const SendTable& table, const driver::Costs& costs, std::uint64_t size, const driver::LeastTime& least,
             const driver::LeastTime& without_starts) {
  const Report report = check(table);
  const double lock_step =
      driver::message_time(table, driver::measures_of(table.fabric, report), costs, size, {}).value();
  CHECK(least.of(size) <= lock_step * (1 + rounding));
  TimedReplayOptions options;
  options.costs = driver::transfer_costs(costs);
  options.bytes_per_chunk = driver::chunk_bytes(table, size);
  const double seconds = replay_in_time(table, options).seconds;
  CHECK(seconds <= lock_step * (1 + rounding));
  const double each[] = {least.fixed - without_starts.fixed, without_starts.fixed,
                         least.per_byte * static_cast<double>(size)};
  for (const double term : each) CHECK(term * (1 - rounding) <= seconds * (1 + rounding));
}

}  // namespace

TEST_CASE("no schedule that ships takes less time than the bound, whatever the fabric and the costs") {
  const std::uint64_t first = reference::first_seed();
  const auto schedules = shipped();
  Tally compared;
  for (std::uint64_t seed = first; seed < first + fabrics_tried; ++seed) {
    reference::Dice dice(seed);
    const Fabric fabric = random_machine(dice);
    if (fabric.processors() < 2) continue;
    const Collective asked = random_question(dice, fabric.processors());
    const driver::Costs costs{static_cast<double>(dice.below(4)), static_cast<double>(dice.below(4)),
                              static_cast<double>(dice.below(4)) / 8 / dice.pick(std::vector<double>{1, 1, 1 << 20}),
                              static_cast<double>(dice.below(3))};
    const driver::Costs without_starts{0, costs.hop, costs.byte};
    const std::uint64_t size = std::uint64_t{1} << dice.below(dice.one_in(2) ? 8 : 31);
    const driver::LeastTime least = driver::least_time(fabric, asked, costs, {});
    const driver::LeastTime rest = driver::least_time(fabric, asked, without_starts, {});
    for (const auto& schedule : schedules) {
      if (!driver::may_serve(schedule->collective.kind, asked)) continue;
      ElaborateOptions options;
      options.fabric = fabric;
      options.retime = dice.one_in(2);
      Result<SendTable> table = driver::elaborate_serving(schedule, driver::arguments_for(*schedule, fabric, asked, {}),
                                                          asked, driver::ChunkCount::any, options);
      if (!table || !table->rows->has_messages()) continue;
      table->claims.clear();
      table->invariants.clear();
      if (check(*table).verdict != Verdict::holds) continue;
      INFO("QUADRILLE_SEED=" << seed << " " << fabric.notation() << " " << asked.notation() << " " << table->schedule);
      compare(*table, costs, size, least, rest);
      ++compared.tables;
      compared.wide += fabric.rules().shares_paths() && fabric.lanes() > fabric.channels();
    }
  }
  MESSAGE(fmt::format("{} tables from seed {}, {} on shared paths of several lanes", compared.tables, first,
                      compared.wide));
  CHECK(compared.tables > fabrics_tried);
  CHECK(compared.wide > fabrics_tried / 4);
}
