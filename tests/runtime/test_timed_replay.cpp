// Tables in time: examples by hand, lock step as the latest, and a slow obvious program for everything small.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/compile.h"
#include "dsl/load.h"
#include "runtime/times/lock_step.h"
#include "runtime/times/timed_replay.h"
#include "tests/environment.h"
#include "tests/reference/compiled.h"
#include "tests/reference/fabrics_with_speeds.h"
#include "tests/reference/naive_time.h"
#include "tests/reference/random_rounds.h"
#include "tests/reference/random_tables.h"
#include "verifier/check.h"

namespace {

using namespace quadrille;

std::shared_ptr<const ir::Schedule> compiled(const std::string& name, const std::string& text) {
  Sources sources;
  const auto program = load({name, text}, {}, sources);
  REQUIRE(program.ok());
  const auto schedule = compile(*program, name);
  REQUIRE(schedule.ok());
  return *schedule;
}

double seconds_of(const std::string& text, const TransferCosts& costs) {
  const auto table = elaborate(compiled("test", text), {});
  REQUIRE(table.ok());
  const TimedReplay timed = replay_in_time(*table, {.costs = costs});
  CHECK(timed.reason == Reason::none);
  return timed.seconds;
}

// Whether lanes serve as they are numbered.
bool plain_lanes(const Fabric& fabric) {
  return fabric.rules().duplex == Duplex::full || fabric.rules().paths == Paths::shared ||
         std::all_of(fabric.all_channels().begin(), fabric.all_channels().end(),
                     [](const Channel& channel) { return channel.capacity == 1; });
}

// 0: all channels of one lane; else wide ones: 1: in full duplex; 2: in half duplex; 3: there with different capacities
// both ways.
std::size_t kind_of(const Fabric& fabric) {
  bool wide = false;
  bool differs = false;
  for (const Channel& channel : fabric.all_channels()) {
    wide |= channel.capacity > 1;
    const auto back = fabric.channel_between(channel.to, channel.from);
    differs |= back && fabric.channel(*back).capacity != channel.capacity;
  }
  if (!wide) return 0;
  if (fabric.rules().duplex == Duplex::full) return 1;
  return differs ? 3 : 2;
}

}  // namespace

TEST_CASE("random tables take what the obvious program says, and never longer than in lock step") {
  const std::uint64_t first = reference::first_seed();
  std::uint64_t compared[2][3] = {};
  std::uint64_t shared[4] = {};
  for (std::uint64_t seed = first; seed < first + (tests::brief ? 2000 : 12000); ++seed) {
    const bool words = seed % 3 == 0;
    for (const bool rounds : {false, true}) {
      SendTable table = rounds ? reference::random_rounds_table(seed, words) : reference::random_table(seed, words);
      const Report report = check(table);
      if (report.verdict != Verdict::holds || report.rows == 0 || !plain_lanes(table.fabric)) continue;
      reference::Dice dice(seed);
      if (dice.one_in(3)) table.fabric = reference::with_random_speeds(table.fabric, dice);
      const TransferCosts costs{static_cast<double>(dice.below(4)), static_cast<double>(dice.below(4)),
                                static_cast<double>(dice.below(4)) + 1, static_cast<double>(dice.below(3))};
      const TimedReplay timed = replay_in_time(table, {.costs = costs});
      INFO("QUADRILLE_SEED=" << seed << " " << table.fabric.notation() << " " << table.collective.notation());
      CHECK(timed.seconds == doctest::Approx(reference::naive_seconds(table, costs)));
      const double lock_step = seconds_in_lock_step(table, costs, 1).value();
      CHECK(timed.seconds <= lock_step * (1 + 1e-9));
      if (rounds) CHECK(lock_step == doctest::Approx(reference::naive_lock_step_in_rounds(table, costs)));
      ++compared[rounds][static_cast<std::size_t>(table.fabric.rules().switches)];
      if (table.fabric.rules().shares_paths()) ++shared[kind_of(table.fabric)];
    }
  }
  MESSAGE(
      fmt::format("from seed {}: copy {} in steps, {} in rounds; forward {} and {}; reduce {} and {}; shared {}: {} "
                  "wide, {} of these half duplex, {} with other capacities one way than the other",
                  first, compared[0][0], compared[1][0], compared[0][1], compared[1][1], compared[0][2], compared[1][2],
                  shared[0] + shared[1] + shared[2] + shared[3], shared[1], shared[2], shared[3]));
  for (const auto& by_rule : compared) {
    for (const std::uint64_t number : by_rule) CHECK(number > 50);
  }
  for (const std::uint64_t number : shared) CHECK(number > 2);
}

TEST_CASE("what does not wait for anybody ends before lock step does") {
  const std::string text =
      "fabric complete(4)\ncollective broadcast(root: 0)\n"
      "send 0 -> 1\nat 2: send 0 -> 2\nat 3: send 1 -> 3\n";
  CHECK(seconds_of(text, {.byte = 1}) == doctest::Approx(2));
  CHECK(seconds_of(text, {.start = 1, .hop = 10, .byte = 1}) == doctest::Approx(24));
}

TEST_CASE("a processor takes a time of its own for each message that it sends or receives") {
  const std::string at_once =
      "fabric complete(4, timing: rounds)\ncollective broadcast(root: 0)\nsend 0 -> {1, 2, 3}\n";
  const std::string one_by_one =
      "fabric complete(4, timing: rounds)\ncollective broadcast(root: 0)\n"
      "for k in 1..3: send 0 -> k\n";
  // Three messages of 0, each prepared in 10, before the last of them takes a start and its byte.
  for (const std::string& text : {at_once, one_by_one}) {
    CHECK(seconds_of(text, {.start = 1, .byte = 1, .overhead = 10}) == doctest::Approx(32));
    const auto table = elaborate(compiled("test", text), {});
    REQUIRE(table.ok());
    CHECK(seconds_in_lock_step(*table, {.start = 1, .byte = 1, .overhead = 10}, 1).value() == doctest::Approx(32));
  }
}

TEST_CASE("a lane is free while its packet is still under way, and ports serve in turn") {
  const std::string lane =
      "fabric complete(2)\ncollective broadcast(root: 0, parts: 2)\nfor p in 0..1: at p + 1: send 0 -> 1 carrying part "
      "p\n";
  CHECK(seconds_of(lane, {.hop = 10, .byte = 1}) == doctest::Approx(12));
  const std::string ports =
      "fabric complete(3, ports: single)\ncollective broadcast(root: 0)\nfor k in 1..2: at k: send 0 -> k\n";
  CHECK(seconds_of(ports, {.hop = 10, .byte = 1}) == doctest::Approx(12));
}

TEST_CASE("a message keeps its path until it has arrived") {
  const std::string text =
      "fabric ring(4, timing: rounds)\ncollective broadcast(root: 0, parts: 3)\n"
      "send 0 -> 2 carrying part 0..2\nat 2: send 0 -> 1 carrying part 0..2\nat 2: send 0 -> 3 carrying part 0..2\n";
  // 3 hops and twice 3 chunks, along 0 -> 1 -> 2 and then 0 -> 1; 0 -> 3 begins at once.
  CHECK(seconds_of(text, {.start = 1, .hop = 10, .byte = 1}) == doctest::Approx(1 + 20 + 3 + 1 + 10 + 3));
}

TEST_CASE("a row waits for the words that it sends, not for others") {
  // 3 gets two long in coming, which it keeps; its own contribution it can send at once.
  const std::string own =
      "fabric line(4)\ncollective allreduce\nsend 0 -> 3 keeping\nthen send 3 -> 2 carrying sum {3} keeping\n";
  CHECK(seconds_of(own, {.byte = 1}) == doctest::Approx(3));
  const std::string both =
      "fabric line(4)\ncollective allreduce\nsend 0 -> 3 keeping\nthen send 3 -> 2 carrying sum {0, 3} keeping\n";
  CHECK(seconds_of(both, {.byte = 1}) == doctest::Approx(4));
}

TEST_CASE("no schedule of the catalogue is later than in lock step, and in steps all agree with the obvious program") {
  const std::uint64_t seed = reference::first_seed();
  reference::Dice dice(seed);
  std::size_t checked = 0;
  for (const ShippedFile& shipped : shipped_schedules()) {
    const std::string text(shipped.text);
    if (text.find("timing: rounds") == text.npos) continue;
    const auto schedule = compiled(std::string(shipped.name), text);
    for (const std::uint32_t N : {3U, 4U, 6U}) {
      const TransferCosts costs{static_cast<double>(dice.below(5)), static_cast<double>(dice.below(5)),
                                static_cast<double>(dice.below(5)) + 1};
      for (const Timing timing : {Timing::rounds, Timing::steps}) {
        ElaborateOptions options;
        options.timing = timing;
        const auto table = elaborate(schedule, {{"N", std::to_string(N)}}, options);
        if (!table) continue;
        const Report report = check(reference::without_optimal_claims(*table));
        REQUIRE(report.verdict == Verdict::holds);
        const TimedReplay timed = replay_in_time(*table, {.costs = costs});
        const double steps = static_cast<double>(report.steps);
        const double volume = static_cast<double>(report.volume.value_or(report.steps));
        const double lock_step = steps * costs.start +
                                 static_cast<double>(report.hops.value_or(report.steps)) * costs.hop +
                                 (report.load ? report.load->value() : volume) * costs.byte;
        CHECK(seconds_in_lock_step(*table, costs, 1).value() == doctest::Approx(lock_step));
        INFO("QUADRILLE_SEED=" << seed << " " << shipped.name << " N=" << N);
        CHECK(timed.seconds <= lock_step * (1 + 1e-9));
        if (timing == Timing::steps) CHECK(timed.seconds == doctest::Approx(reference::naive_seconds(*table, costs)));
        double busy = 0;
        double spans = 0;
        for (const TimedUse& use : timed.use) {
          busy += use.busy;
          for (const double span : use.over_time) spans += span;
        }
        CHECK(busy == doctest::Approx(spans));
        ++checked;
      }
    }
  }
  CHECK(checked > 100);
}

TEST_CASE("links that say how fast they are go by that, the others by the costs") {
  const std::string text =
      "fabric pair:\n  processors 4\n  link 0 -- 1 latency 100 s bandwidth 2 B/s\n  link 1 -- 2 latency 3s\n"
      "  link 2 -- 3\nfabric pair(timing: rounds)\ncollective broadcast(root: 0, parts: 8)\n"
      "send 0 -> 3 carrying part 0..7\n";
  // A chunk is a byte: the path is as slow as its slowest link.
  CHECK(seconds_of(text, {.start = 1, .hop = 10, .byte = 0.25}) == doctest::Approx(1 + 113 + 4));
  const auto table = elaborate(compiled("test", text), {});
  REQUIRE(table.ok());
  CHECK(seconds_in_lock_step(*table, {1, 10, 0.25}, 1).value() == doctest::Approx(1 + 113 + 4));
  CHECK(seconds_in_lock_step(*table, {1, 10, 1}, 1).value() == doctest::Approx(1 + 113 + 8));
  CHECK(seconds_in_lock_step(*table, {1, 10, 0.25}, 2).value() == doctest::Approx(1 + 113 + 8));
}

TEST_CASE("on links of random speeds, tables in steps take as long as the obvious programs say") {
  const std::uint64_t seed = reference::first_seed();
  reference::Dice dice(seed);
  std::size_t checked = 0;
  for (const ShippedFile& shipped : shipped_schedules()) {
    const std::string text(shipped.text);
    if (text.find("timing: rounds") == text.npos) continue;
    const auto schedule = compiled(std::string(shipped.name), text);
    ElaborateOptions options;
    options.timing = Timing::steps;
    auto table = elaborate(schedule, {{"N", "6"}}, options);
    if (!table) continue;
    table->fabric = reference::with_random_speeds(table->fabric, dice);
    REQUIRE(check(*table).verdict != Verdict::unknown);
    const TransferCosts costs{static_cast<double>(dice.below(5)), static_cast<double>(dice.below(5)),
                              static_cast<double>(dice.below(5)) + 1, static_cast<double>(dice.below(3))};
    INFO("QUADRILLE_SEED=" << seed << " " << shipped.name);
    const double lock_step = seconds_in_lock_step(*table, costs, 1).value();
    CHECK(lock_step == doctest::Approx(reference::naive_lock_step(*table, costs)));
    const double seconds = replay_in_time(*table, {.costs = costs}).seconds;
    CHECK(seconds == doctest::Approx(reference::naive_seconds(*table, costs)));
    CHECK(seconds <= lock_step * (1 + 1e-9));
    ++checked;
  }
  CHECK(checked > 20);
}

TEST_CASE("without speeds, rows in lock step take what the measures say") {
  const TransferCosts costs{3, 5, 7};
  std::size_t checked = 0;
  for (const ShippedFile& shipped : shipped_schedules()) {
    const std::string text(shipped.text);
    if (text.find("timing: rounds") == text.npos) continue;
    const auto table = elaborate(compiled(std::string(shipped.name), text), {{"N", "6"}});
    if (!table) continue;
    const Report report = check(*table);
    const double expected =
        3 * static_cast<double>(report.steps) + 5 * static_cast<double>(report.hops.value_or(report.steps)) +
        7 * (report.load ? report.load->value() : static_cast<double>(report.volume.value_or(report.steps)));
    INFO(shipped.name);
    CHECK(seconds_in_lock_step(*table, costs, 1).value() == doctest::Approx(expected));
    ++checked;
  }
  CHECK(checked > 20);
}

TEST_CASE("packets that are done with take no memory") {
  const auto shipped = shipped_schedule("total_exchange");
  REQUIRE(shipped);
  const auto table =
      elaborate(compiled("total_exchange", std::string(shipped->text)), {{"L", "8"}, {"capacity", "exponential"}});
  REQUIRE(table.ok());
  Limits limits;
  limits.memory = std::uint64_t{12} << 20;  // 927,000 rows, of which each took 48 bytes or more
  const TimedReplay timed = replay_in_time(*table, {.costs = {.byte = 1}, .limits = limits});
  CHECK(timed.reason == Reason::none);
  CHECK(timed.seconds > 0);
}
