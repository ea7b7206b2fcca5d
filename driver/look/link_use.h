// How a table uses its fabric: what crosses each channel in all, and over time how busy groups of channels are, and how
// many packets wait in switches. One value, for figures and pages.
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

// Every channel is in one group. Trees: from the processors upwards, then downwards.
std::vector<ChannelGroup> channel_groups(const Fabric& fabric);

struct GroupUse {
  ChannelGroup group;
  std::uint64_t lanes = 0;
  std::uint64_t rows = 0;
  std::vector<std::uint64_t> over_time = {};  // rows in each span of steps
};

// By the rules of model/MODEL.md, Switches: a switch buffers a packet after it arrived and before its last departure.
struct LevelQueue {
  std::uint32_t level = 0;
  std::uint64_t largest = 0;                  // packets buffered by one switch
  std::vector<std::uint64_t> over_time = {};  // likewise, in each span of steps
};

struct TableUse {
  std::uint64_t steps = 0;  // the last that has rows
  std::uint64_t rows = 0;
  std::uint32_t steps_per_span = 1;       // of the last span perhaps fewer
  std::vector<std::uint64_t> by_channel;  // rows
  std::vector<GroupUse> groups;
  // By level; none in rounds, where there are no switches, or where the table has more than most_rows_with_queues.
  std::vector<LevelQueue> queues;
  Reason ended_early = Reason::none;  // why the rows were not read to the table's end
};
inline constexpr std::uint64_t most_rows_with_queues = 4'000'000;

// The last step that has rows; 0 if none has, or of a table that was not read to its end within the limits the last
// that was met. Cost: the rows are read where nobody knows it.
std::uint64_t last_step_with_rows(const SendTable& table, const Limits& limits);

// Spans are as short as they can be, where there may be so many (at least 1). Cost: linear in the rows, which are read
// once more if nobody knows the last step.
TableUse table_use(const SendTable& table, std::uint32_t most_spans, const Limits& limits = {});

}  // namespace quadrille::driver
