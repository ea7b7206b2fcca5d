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
#include "model/route.h"
#include "runtime/lock_step.h"
#include "runtime/timed_replay.h"
#include "tests/environment.h"
#include "tests/reference/fabrics_with_speeds.h"
#include "tests/reference/random_rounds.h"
#include "tests/reference/random_tables.h"
#include "tests/reference/round_messages.h"
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

// All rows in the table's order, each with its step.
struct TimedRow {
  std::uint32_t step;
  Row row;
  WordUse use = {};
  double start = 0;
};

std::vector<TimedRow> rows_of(const SendTable& table) {
  std::vector<TimedRow> rows;
  const auto cursor = table.rows->open();
  while (const auto batch = cursor->next()) {
    for (std::size_t i = 0; i < batch->rows.size(); ++i) {
      rows.push_back({batch->step.value, batch->rows[i], batch->words.empty() ? WordUse{} : batch->words[i]});
    }
  }
  return rows;
}

LinkSpeed speed_of(const SendTable& table, const Row& row) {
  const std::vector<LinkSpeed> speeds = table.fabric.link_speeds();
  return speeds.empty() ? LinkSpeed{} : speeds[row.channel.value];
}

// Of a chunk of one byte.
double chunk_time(const SendTable& table, const Row& row, const TransferCosts& costs) {
  const auto bandwidth = speed_of(table, row).bandwidth;
  return bandwidth ? 1 / static_cast<double>(*bandwidth) : costs.byte;
}

double hop_time(const SendTable& table, const Row& row, const TransferCosts& costs) {
  const auto latency = speed_of(table, row).latency;
  return latency ? static_cast<double>(*latency) / 1e12 : costs.hop;
}

double whole_time(const SendTable& table, const Row& row, const TransferCosts& costs) {
  return costs.start + hop_time(table, row, costs) + chunk_time(table, row, costs);
}

// What keeps row `later` waiting of row `earlier`, which comes in a step before; in steps.
double earliest_after(const SendTable& table, const TimedRow& earlier, const TimedRow& later,
                      const TransferCosts& costs) {
  const Channel& before = table.fabric.channel(earlier.row.channel);
  const Channel& after = table.fabric.channel(later.row.channel);
  const bool single = table.fabric.rules().ports == Ports::single;
  const bool half = table.fabric.rules().duplex == Duplex::half;
  const auto processor = [&](NodeId node) { return table.fabric.is_processor(node); };
  bool waits = earlier.row.channel == later.row.channel && earlier.row.lane == later.row.lane;
  waits = waits || (single && before.from == after.from && processor(before.from));
  waits = waits || (single && before.to == after.to && processor(before.to));
  waits = waits ||
          (single && half &&
           ((before.from == after.to && processor(before.from)) || (before.to == after.from && processor(before.to))));
  return waits ? earlier.start + costs.start + chunk_time(table, earlier.row, costs) : 0;
}

// When a word of a processor is there, as far as rows before `step` bring it: word 0 with the last that is joined; of
// those that are kept, with the last of its step.
double word_comes(const SendTable& table, const std::vector<TimedRow>& rows, const TimedRow& sent, std::uint32_t word,
                  const TransferCosts& costs) {
  const ChunkName name = table.collective.name(sent.row.chunk);
  std::vector<std::pair<std::uint32_t, double>> kept;  // step, time
  double joined = 0;
  for (const TimedRow& other : rows) {
    if (other.step >= sent.step) break;
    const ChunkName brought = table.collective.name(other.row.chunk);
    const bool here = table.fabric.channel(other.row.channel).to.value == name.origin;
    if (!here || brought.target != name.origin || brought.part != name.part) continue;
    if (other.use.arrival == Arrival::kept) {
      kept.emplace_back(other.step, other.start + whole_time(table, other.row, costs));
    } else {
      joined = std::max(joined, other.start + whole_time(table, other.row, costs));
    }
  }
  if (word == 0) return joined;
  double comes = 0;
  for (const auto& [step, time] : kept) comes = step == kept.at(word - 1).first ? std::max(comes, time) : comes;
  return comes;
}

// Every row looks at all before it. No half duplex of several lanes, where any of them serves.
double naive_seconds(const SendTable& table, const TransferCosts& costs) {
  std::vector<TimedRow> rows = rows_of(table);
  const Collective& collective = table.collective;
  double end = 0;
  for (TimedRow& row : rows) {
    const NodeId from = table.fabric.channel(row.row.channel).from;
    const bool origin = collective.combining() && collective.name(row.row.chunk).origin == from.value;
    std::optional<double> input;
    for (const TimedRow& other : rows) {
      if (other.step >= row.step) break;
      row.start = std::max(row.start, earliest_after(table, other, row, costs));
      if (table.fabric.channel(other.row.channel).to != from) continue;
      const double came = other.start + whole_time(table, other.row, costs);
      if (!origin && other.row.chunk == row.row.chunk) {
        input = collective.combining() || !input ? came : std::min(*input, came);
      }
    }
    std::vector<std::uint32_t> words = row.use.sent;
    if (words.empty()) words.push_back(0);
    for (const std::uint32_t word : words) {
      if (origin) input = std::max(input.value_or(0), word_comes(table, rows, row, word, costs));
    }
    const bool starts =
        !collective.combining() && table.fabric.is_processor(from) && collective.starts_at(row.row.chunk, from);
    if (!starts) row.start = std::max(row.start, input.value_or(0));
    end = std::max(end, row.start + whole_time(table, row.row, costs));
  }
  return end;
}

// In steps: each lasts as long as its slowest latency and its slowest chunk, an empty one as the costs say.
double naive_lock_step(const SendTable& table, const TransferCosts& costs) {
  const std::vector<TimedRow> rows = rows_of(table);
  double seconds = 0;
  for (std::uint32_t step = 1; !rows.empty() && step <= rows.back().step; ++step) {
    double hop = -1;
    double chunk = -1;
    for (const TimedRow& row : rows) {
      if (row.step != step) continue;
      hop = std::max(hop, hop_time(table, row.row, costs));
      chunk = std::max(chunk, chunk_time(table, row.row, costs));
    }
    seconds += costs.start + (hop < 0 ? costs.hop : hop) + (chunk < 0 ? costs.byte : chunk);
  }
  return seconds;
}

// A row of a table in steps, or a message: from whom, whereto, and what it uses.
struct Item {
  std::uint32_t step = 0;
  std::vector<std::pair<NodeId, ChunkId>> leaves, arrives;
  std::vector<std::pair<ChannelId, std::uint32_t>> ways;  // with lanes
  std::uint64_t length = 1;
  double end = 0;       // when it has arrived
  double released = 0;  // when its lanes and ports are free
};

std::vector<Item> items_of(const SendTable& table) {
  std::vector<Item> items;
  if (table.fabric.rules().timing == Timing::steps) {
    for (const auto& [step, row] : all_rows(table)) {
      const Channel& channel = table.fabric.channel(row.channel);
      items.push_back(
          {step.value, {{channel.from, row.chunk}}, {{channel.to, row.chunk}}, {{row.channel, row.lane.value}}});
    }
    return items;
  }
  for (const reference::RoundMessage& message : reference::messages_of(table).all) {
    Item item{message.round, {}, {}, {message.ways.begin(), message.ways.end()}, message.length};
    for (const auto& [key, words] : message.words) {
      const Channel& channel = table.fabric.channel(key.second);
      const auto ends = [&](const auto& end) { return end.receiver == channel.to; };
      if (message.senders.contains(channel.from)) item.leaves.emplace_back(channel.from, key.first);
      if (std::any_of(message.ends.begin(), message.ends.end(), ends)) item.arrives.emplace_back(channel.to, key.first);
    }
    items.push_back(item);
  }
  return items;
}

// Every item looks at all before it, in the table's order. No half duplex of several lanes, where any of them serves.
class NaiveTime {
 public:
  NaiveTime(const SendTable& table, const TransferCosts& costs)
      : fabric_(table.fabric),
        collective_(table.collective),
        costs_(costs),
        speeds_(table.fabric.link_speeds()),
        items_(items_of(table)) {}

  double seconds() {
    double end = 0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      run(i);
      end = std::max(end, items_[i].end);
    }
    return end;
  }

 private:
  void run(std::size_t i) {
    Item& item = items_[i];
    const bool shared = fabric_.rules().paths == Paths::shared;
    const auto length = static_cast<double>(item.length);
    double start = 0;
    for (const auto& [node, chunk] : item.leaves) start = std::max(start, input(i, node, chunk));
    for (std::size_t j = 0; j < i; ++j) {
      if (ports_meet(items_[j], item) || (!shared && lanes_meet(items_[j], item)))
        start = std::max(start, items_[j].released);
    }
    double slowest = 0;
    for (const auto& [channel, lane] : item.ways) slowest = std::max(slowest, chunk_takes(channel));
    double through = start + costs_.start + length * slowest;
    if (shared) through = cross(item, start + costs_.start);
    item.end = through + slowest_way(item);
    item.released = fabric_.rules().timing == Timing::rounds ? item.end : through;
  }

  double chunk_takes(ChannelId channel) const {
    const auto bandwidth = speeds_.empty() ? std::nullopt : speeds_[channel.value].bandwidth;
    return bandwidth ? 1 / static_cast<double>(*bandwidth) : costs_.byte;
  }
  double hop_takes(ChannelId channel) const {
    const auto latency = speeds_.empty() ? std::nullopt : speeds_[channel.value].latency;
    return latency ? static_cast<double>(*latency) / 1e12 : costs_.hop;
  }

  double slowest_way(const Item& item) const {
    std::map<NodeId, double> reached;
    for (std::size_t pass = 0; pass < item.ways.size(); ++pass) {
      for (const auto& [channel, lane] : item.ways) {
        const Channel& it = fabric_.channel(channel);
        reached[it.to] = std::max(reached[it.to], reached[it.from] + hop_takes(channel));
      }
    }
    double slowest = 0;
    for (const auto& [node, way] : reached) slowest = std::max(slowest, way);
    return slowest;
  }

  double cross(const Item& item, double ready) {
    double through = ready;
    for (const auto& [channel, lane] : item.ways) {
      auto& lanes = free_[fabric_.rules().duplex == Duplex::half ? fabric_.link(channel) : channel];
      lanes.resize(fabric_.channel(fabric_.rules().duplex == Duplex::half ? fabric_.link(channel) : channel).capacity);
      for (std::uint64_t chunk = 0; chunk < item.length; ++chunk) {
        const auto first = std::min_element(lanes.begin(), lanes.end());
        *first = std::max(*first, ready) + chunk_takes(channel);
        through = std::max(through, *first);
      }
    }
    return through;
  }

  bool lanes_meet(const Item& a, const Item& b) const {
    for (const auto& [channel, lane] : a.ways) {
      for (const auto& [other, other_lane] : b.ways) {
        if (channel == other && lane == other_lane) return true;
        const bool half = fabric_.rules().duplex == Duplex::half;
        if (half && fabric_.link(channel) == fabric_.link(other)) return true;  // of one lane
      }
    }
    return false;
  }

  bool ports_meet(const Item& a, const Item& b) const {
    if (fabric_.rules().ports == Ports::multi) return false;
    const auto meet = [&](const auto& some, const auto& others) {
      for (const auto& one : some) {
        for (const auto& other : others) {
          if (one.first == other.first && fabric_.is_processor(one.first)) return true;
        }
      }
      return false;
    };
    const bool half = fabric_.rules().duplex == Duplex::half;
    return meet(a.leaves, b.leaves) || meet(a.arrives, b.arrives) ||
           (half && (meet(a.leaves, b.arrives) || meet(a.arrives, b.leaves)));
  }

  bool alike(ChunkId a, ChunkId b) const {  // of one target and part
    const ChunkName one = collective_.name(a);
    const ChunkName other = collective_.name(b);
    return one.target == other.target && one.part == other.part;
  }

  double input(std::size_t i, NodeId node, ChunkId chunk) const {
    const bool combining = collective_.combining();
    const bool at_switch = !fabric_.is_processor(node);
    if (combining && collective_.name(chunk).origin == node.value) {
      return latest(i, [&](NodeId to, ChunkId other, std::uint32_t) {
        return to == node && collective_.name(other).target == node.value &&
               collective_.value_of(other) == collective_.value_of(chunk);
      });
    }
    if (!combining && !at_switch && collective_.starts_at(chunk, node)) return 0;
    if (at_switch && fabric_.rules().switches == Switching::forward) return copy(i, node, chunk);
    if (at_switch && combining && fabric_.rules().switches == Switching::reduce) {
      std::uint32_t left = 0;
      for (std::size_t j = 0; j < i; ++j) {
        for (const auto& [from, other] : items_[j].leaves) {
          if (from == node && alike(other, chunk) && items_[j].step < items_[i].step) left = items_[j].step;
        }
      }
      return latest(i, [&](NodeId to, ChunkId other, std::uint32_t step) {
        return to == node && alike(other, chunk) && step >= left;
      });
    }
    std::optional<double> came;
    for (const Item& item : items_) {
      if (item.step >= items_[i].step) break;
      for (const auto& [to, other] : item.arrives) {
        if (to == node && other == chunk) came = combining || !came ? item.end : std::min(*came, item.end);
      }
    }
    return came.value_or(0);
  }

  template <class Counts>
  double latest(std::size_t i, const Counts& counts) const {
    double time = 0;
    for (const Item& item : items_) {
      if (item.step >= items_[i].step) break;
      for (const auto& [to, chunk] : item.arrives) {
        if (counts(to, chunk, item.step)) time = std::max(time, item.end);
      }
    }
    return time;
  }

  // As many copies have left as items before it took.
  double copy(std::size_t i, NodeId node, ChunkId chunk) const {
    const std::pair<NodeId, ChunkId> what{node, chunk};
    std::ptrdiff_t taken = 0;
    for (std::size_t j = 0; j < i; ++j) taken += std::count(items_[j].leaves.begin(), items_[j].leaves.end(), what);
    for (const Item& item : items_) {
      taken -= std::count(item.arrives.begin(), item.arrives.end(), what);
      if (taken < 0) return item.end;
    }
    return 0;
  }

  const Fabric& fabric_;
  const Collective& collective_;
  TransferCosts costs_;
  std::vector<LinkSpeed> speeds_;
  std::vector<Item> items_;
  std::map<ChannelId, std::vector<double>> free_;  // shared: by channel, when its lanes are free
};

// Whether lanes serve as they are numbered.
bool plain_lanes(const Fabric& fabric) {
  return fabric.rules().duplex == Duplex::full || fabric.rules().paths == Paths::shared ||
         std::all_of(fabric.all_channels().begin(), fabric.all_channels().end(),
                     [](const Channel& channel) { return channel.capacity == 1; });
}

}  // namespace

TEST_CASE("random tables take what the obvious program says, and never longer than in lock step") {
  const std::uint64_t first = reference::first_seed();
  std::uint64_t compared[2][3] = {};
  std::uint64_t shared = 0;
  for (std::uint64_t seed = first; seed < first + (tests::sanitized ? 2000 : 12000); ++seed) {
    for (const bool rounds : {false, true}) {
      const SendTable table = rounds ? reference::random_rounds_table(seed) : reference::random_table(seed);
      const Report report = check(table);
      if (report.verdict != Verdict::holds || report.rows == 0 || !plain_lanes(table.fabric)) continue;
      reference::Dice dice(seed);
      const TransferCosts costs{static_cast<double>(dice.below(4)), static_cast<double>(dice.below(4)),
                                static_cast<double>(dice.below(4)) + 1};
      const TimedReplay timed = replay_in_time(table, {.costs = costs});
      INFO("QUADRILLE_SEED=" << seed << " " << table.fabric.notation() << " " << table.collective.notation());
      CHECK(timed.seconds == doctest::Approx(NaiveTime(table, costs).seconds()));
      const double lock_step = seconds_in_lock_step(table, costs, 1).value();
      CHECK(timed.seconds <= lock_step * (1 + 1e-9));
      ++compared[rounds][static_cast<std::size_t>(table.fabric.rules().switches)];
      shared += table.fabric.rules().paths == Paths::shared;
    }
  }
  MESSAGE(fmt::format("from seed {}: copy {} in steps, {} in rounds; forward {} and {}; reduce {} and {}; shared {}",
                      first, compared[0][0], compared[1][0], compared[0][1], compared[1][1], compared[0][2],
                      compared[1][2], shared));
  for (const auto& by_rule : compared) {
    for (const std::uint64_t number : by_rule) CHECK(number > 50);
  }
  CHECK(shared > 100);
}

TEST_CASE("what does not wait for anybody ends before lock step does") {
  const std::string text =
      "fabric complete(4)\ncollective broadcast(root: 0)\n"
      "send 0 -> 1\nat 2: send 0 -> 2\nat 3: send 1 -> 3\n";
  CHECK(seconds_of(text, {.byte = 1}) == doctest::Approx(2));
  CHECK(seconds_of(text, {.start = 1, .hop = 10, .byte = 1}) == doctest::Approx(24));
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
        const Report report = check(*table);
        REQUIRE(report.verdict == Verdict::holds);
        const TimedReplay timed = replay_in_time(*table, {.costs = costs});
        const double steps = static_cast<double>(report.steps);
        const double lock_step = steps * costs.start +
                                 static_cast<double>(report.hops.value_or(report.steps)) * costs.hop +
                                 static_cast<double>(report.volume.value_or(report.steps)) * costs.byte;
        INFO("QUADRILLE_SEED=" << seed << " " << shipped.name << " N=" << N);
        CHECK(timed.seconds <= lock_step * (1 + 1e-9));
        if (timing == Timing::steps) CHECK(timed.seconds == doctest::Approx(naive_seconds(*table, costs)));
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
                              static_cast<double>(dice.below(5)) + 1};
    INFO("QUADRILLE_SEED=" << seed << " " << shipped.name);
    const double lock_step = seconds_in_lock_step(*table, costs, 1).value();
    CHECK(lock_step == doctest::Approx(naive_lock_step(*table, costs)));
    const double seconds = replay_in_time(*table, {.costs = costs}).seconds;
    CHECK(seconds == doctest::Approx(naive_seconds(*table, costs)));
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
    const double expected = 3 * static_cast<double>(report.steps) +
                            5 * static_cast<double>(report.hops.value_or(report.steps)) +
                            7 * static_cast<double>(report.volume.value_or(report.steps));
    INFO(shipped.name);
    CHECK(seconds_in_lock_step(*table, costs, 1).value() == doctest::Approx(expected));
    ++checked;
  }
  CHECK(checked > 20);
}
