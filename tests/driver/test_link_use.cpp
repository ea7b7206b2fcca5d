// How a table uses its fabric, against counts that look at every row again for every number.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "driver/look/link_use.h"
#include "model/fabric_notation.h"
#include "tests/reference/random_tables.h"
#include "verifier/check.h"

namespace quadrille::driver {
namespace {

using StepRow = StoredRows::StepRow;

bool within(std::uint32_t step, std::size_t span, const TableUse& use) {
  return step > span * use.steps_per_span && step <= (span + 1) * use.steps_per_span;
}

std::uint64_t count(const std::vector<StepRow>& rows, const ChannelGroup& group, std::size_t span,
                    const TableUse& use) {
  return static_cast<std::uint64_t>(std::ranges::count_if(rows, [&](const StepRow& it) {
    return within(it.step.value, span, use) && std::ranges::count(group.channels, it.row.channel) > 0;
  }));
}

// What a switch takes for one packet: those that reduce, all for one target and part.
bool same_packet(const SendTable& table, ChunkId a, ChunkId b) {
  if (!table.fabric.switches_reduce() || !table.collective.combining()) return a == b;
  const ChunkName first = table.collective.name(a);
  const ChunkName second = table.collective.name(b);
  return first.target == second.target && first.part == second.part;
}

struct Times {
  std::vector<std::uint32_t> in, out;  // sorted
};

Times times_of(const SendTable& table, const std::vector<StepRow>& rows, NodeId node, ChunkId chunk) {
  Times times;
  for (const auto& [at, row] : rows) {
    if (!same_packet(table, row.chunk, chunk)) continue;
    if (table.fabric.channel(row.channel).to == node) times.in.push_back(at.value);
    if (table.fabric.channel(row.channel).from == node) times.out.push_back(at.value);
  }
  return times;
}

// Pairs of an arrival and a departure, so that the packet is buffered between them.
std::vector<std::pair<std::uint32_t, std::uint32_t>> stays(const SendTable& table, const Times& times) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> result;
  if (table.fabric.switches_forward()) {
    std::vector<std::uint32_t> left = times.in;
    for (const std::uint32_t out : times.out) {
      if (left.empty() || left.front() >= out) continue;
      result.emplace_back(left.front(), out);
      left.erase(left.begin());
    }
    return result;
  }
  if (table.fabric.switches_reduce() && table.collective.combining()) {
    std::uint32_t gone = 0;  // arrivals in the step of a departure stay
    for (const std::uint32_t out : times.out) {
      const auto first = std::ranges::find_if(times.in, [&](std::uint32_t in) { return in >= gone; });
      if (out != gone && first != times.in.end() && *first < out) result.emplace_back(*first, out);
      if (first != times.in.end() && *first < out) gone = out;
    }
    return result;
  }
  for (const std::uint32_t in : times.in) {
    const auto again = std::ranges::upper_bound(times.in, in);
    std::uint32_t last = 0;
    for (const std::uint32_t out : times.out) {
      if (out > in && (again == times.in.end() || out <= *again)) last = out;
    }
    if (last != 0) result.emplace_back(in, last);
  }
  std::ranges::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::uint64_t buffered(const SendTable& table, const std::vector<StepRow>& rows, NodeId node, std::uint32_t step) {
  std::uint64_t count = 0;
  std::vector<ChunkId> seen;
  for (const auto& [at, row] : rows) {
    if (table.fabric.channel(row.channel).from != node) continue;
    if (std::ranges::any_of(seen, [&](ChunkId it) { return same_packet(table, it, row.chunk); })) continue;
    seen.push_back(row.chunk);
    for (const auto& [in, out] : stays(table, times_of(table, rows, node, row.chunk))) count += in < step && step < out;
  }
  return count;
}

std::uint64_t largest_queue(const SendTable& table, const std::vector<StepRow>& rows, std::uint32_t level,
                            std::size_t span, const TableUse& use) {
  const Fabric& fabric = table.fabric;
  std::uint64_t most = 0;
  for (auto step = static_cast<std::uint32_t>(span * use.steps_per_span + 1); within(step, span, use); ++step) {
    for (NodeId node(fabric.processors()); node.value < fabric.nodes(); ++node.value) {
      if (fabric.level(node) == level) most = std::max(most, buffered(table, rows, node, step));
    }
  }
  return most;
}

void compare(const SendTable& table, std::uint32_t spans) {
  const std::vector<StepRow> rows = all_rows(table);
  const TableUse use = table_use(table, spans);
  REQUIRE(use.rows == rows.size());
  REQUIRE(use.steps == (rows.empty() ? 0 : rows.back().step.value));
  for (ChannelId id(0); id.value < table.fabric.channels(); ++id.value) {
    REQUIRE(use.by_channel[id.value] == static_cast<std::uint64_t>(std::ranges::count_if(
                                            rows, [&](const StepRow& it) { return it.row.channel == id; })));
  }
  std::size_t channels = 0;
  for (const GroupUse& group : use.groups) {
    channels += group.group.channels.size();
    REQUIRE(group.over_time.size() <= spans);
    for (std::size_t i = 0; i < group.over_time.size(); ++i) {
      REQUIRE(group.over_time[i] == count(rows, group.group, i, use));
    }
  }
  REQUIRE(channels == table.fabric.channels());
  for (const LevelQueue& queue : use.queues) {
    for (std::size_t i = 0; i < queue.over_time.size(); ++i) {
      REQUIRE(queue.over_time[i] == largest_queue(table, rows, queue.level, i, use));
    }
  }
}

TEST_CASE("the use of random tables is what a slow count says") {
  const std::uint64_t seed = reference::first_seed();
  for (std::uint64_t i = seed; i < seed + 150; ++i) {
    CAPTURE(i);
    const SendTable table = reference::random_table(i);
    compare(table, 200);
    compare(table, 3);
  }
}

TEST_CASE("the largest queues of tables that hold are those that the checker reports") {
  const std::uint64_t seed = reference::first_seed();
  for (std::uint64_t i = seed; i < seed + 300; ++i) {
    CAPTURE(i);
    const SendTable table = reference::random_table(i);
    const Report report = check(table);
    if (report.verdict != Verdict::holds) continue;
    for (const LevelQueue& queue : table_use(table, 10).queues) {
      REQUIRE(queue.level < report.queues.by_level.size());
      REQUIRE(queue.largest == report.queues.by_level[queue.level]);
    }
  }
}

TEST_CASE("lanes take as many turns as the volume of rounds, or one a step, and no links carry more than they can") {
  const std::uint64_t seed = reference::first_seed();
  for (std::uint64_t i = seed; i < seed + 300; ++i) {
    CAPTURE(i);
    const SendTable table = reference::random_table(i);
    const TableUse use = table_use(table, 3);
    REQUIRE(use.turns.size() == (use.steps + use.steps_per_span - 1) / use.steps_per_span);
    const Report report = check(table);
    const std::uint64_t turns = std::accumulate(use.turns.begin(), use.turns.end(), std::uint64_t{0});
    if (!table.fabric.in_rounds()) CHECK(turns == use.steps);
    if (report.verdict != Verdict::holds) continue;
    if (table.fabric.in_rounds()) REQUIRE(turns == *report.volume);
    for (const GroupUse& group : use.groups) {
      for (std::size_t span = 0; span < use.turns.size(); ++span) {
        REQUIRE(group.over_time[span] <= group.lanes * use.turns[span]);
      }
    }
  }
}

std::vector<std::string> groups(const std::string& notation) {
  std::vector<std::string> names;
  for (const ChannelGroup& group : channel_groups(parse_fabric({"", notation}, 0).value())) names.push_back(group.name);
  return names;
}

TEST_CASE("channels are grouped by level or dimension, where there are any") {
  using Names = std::vector<std::string>;
  CHECK(groups("fat_tree:levels=2") == Names{"level 1 up", "level 2 up", "level 2 down", "level 1 down"});
  CHECK(groups("torus:3x4") == Names{"dimension 1", "dimension 2"});
  CHECK(groups("mesh:3x4") == Names{"dimension 1", "dimension 2"});
  CHECK(groups("hypercube:3") == Names{"dimension 1", "dimension 2", "dimension 3"});
  CHECK(groups("ring:5") == Names{"all channels"});
  CHECK(groups(R"(graph:{"processors":2,"switches":["a","b"],"links":[[0,"a"],["a","b"],["b",1]]})") ==
        Names{"from processors", "between switches", "to processors"});
}

}  // namespace
}  // namespace quadrille::driver
