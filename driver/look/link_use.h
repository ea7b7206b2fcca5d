// The use that a table makes of its fabric: the rows of each channel in all, and over time the load of groups of
// channels and the packets that wait in switches. One value serves figures and pages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/limits/limits.h"
#include "model/send_table.h"

namespace quadrille::driver {

// Channels that are alike, by name: "level 2 up" of a tree, "to processors" where switches have no levels, "dimension
// 1" of a grid, "all channels" where nothing more is known.
struct ChannelGroup {
  std::string name;
  std::vector<ChannelId> channels;  // ascending
};

// The groups; every channel is in one of them. Trees: from the processors upwards, then downwards.
std::vector<ChannelGroup> channel_groups(const Fabric& fabric);

struct GroupUse {
  ChannelGroup group;
  std::uint64_t lanes = 0;
  std::uint64_t rows = 0;
  std::vector<std::uint64_t> over_time = {};  // rows in each span of steps
};

// The queues of a level. By model/MODEL.md, Switches, a switch buffers a packet after its arrival and before its last
// departure.
struct LevelQueue {
  std::uint32_t level = 0;
  std::uint64_t largest = 0;                  // packets buffered by one switch
  std::vector<std::uint64_t> over_time = {};  // likewise, in each span of steps
};

struct TableUse {
  std::uint64_t steps = 0;  // the last step that has rows
  std::uint64_t rows = 0;
  std::uint32_t steps_per_span = 1;       // the last span may have fewer
  std::vector<std::uint64_t> turns;       // in each span: how many rows a lane can carry (lane_turns)
  std::vector<std::uint64_t> by_channel;  // rows
  std::vector<GroupUse> groups;
  // By level. None in rounds, without switches, or if the table has more than most_rows_with_queues rows.
  std::vector<LevelQueue> queues;
  Reason ended_early = Reason::none;  // the reason why the rows were not read to the table's end
};
inline constexpr std::uint64_t most_rows_with_queues = 4'000'000;

// The last step that has rows; 0 if none has. If a table was not read to its end within the limits, the last one that
// was met. Cost: the rows are read if the table does not know its last step.
std::uint64_t last_step_with_rows(const SendTable& table, const Limits& limits);

// How many rows a lane can carry in each span of the use: one a step, and in a round as many as its volume says
// (model/MODEL.md, Rounds). What links carry is a share of lanes times turns. Cost: in rounds the rows are read.
std::vector<std::uint64_t> lane_turns(const SendTable& table, const TableUse& use, const Limits& limits);

// The use of a table in at most `most_spans` spans (at least 1), which are as short as that allows. Cost: linear in
// the rows, which are read once more if the table does not know its last step.
TableUse table_use(const SendTable& table, std::uint32_t most_spans, const Limits& limits = {});

}  // namespace quadrille::driver
