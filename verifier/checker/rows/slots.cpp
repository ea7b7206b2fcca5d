// Idea: a stamp for each lane, the last step that used it. If no stamp of this step is met twice, and no lane is out of
// its channel's range, the step is right, whatever its order. Otherwise the step's rows are sorted by channel and lane,
// and each run is judged.
//
//   channel 0->1 of capacity 2, lanes 0 and 1 in step 7: stamps 7 and 7; a third row finds a 7, and the step is sorted
//
// Cost: one store a row; n log n for steps with a fault.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "verifier/checker/rows/row_rules.h"

namespace quadrille::checker {
namespace {

constexpr std::uint64_t most_stamps = std::uint64_t{1} << 28;
constexpr std::uint64_t most_stamps_not_listed = std::uint64_t{1} << 26;  // where the fabric itself takes no memory

}  // namespace

Slots::Slots(const SendTable& table, Findings& findings, Budget& budget, const Limits& limits)
    : table_(table), findings_(findings), limits_(limits), share_(budget), channels_(table.fabric.all_channels()) {
  const Fabric& fabric = table.fabric;
  // Stamps may take a quarter of the memory; without them every step is sorted.
  const std::uint64_t most = fabric.lists_channels() ? most_stamps : most_stamps_not_listed;
  stamped_ = fabric.lanes() <= most && fabric.lanes() * sizeof(std::uint32_t) <= budget.left() / 4;
  const std::uint64_t lanes = stamped_ ? fabric.lanes() : 0;
  const std::uint32_t listed = fabric.lists_channels() ? fabric.channels() : 0;
  share_.add(listed * sizeof(ChannelLanes) + lanes * sizeof(std::uint32_t));
  stamps_.resize(static_cast<std::size_t>(lanes));
  places_.reserve(listed);
  for (std::uint32_t id = 0; id < listed; ++id) places_.push_back(lanes_of(ChannelId{id}));
}

Slots::ChannelLanes Slots::lanes_of(ChannelId id) const {
  const Channel channel = channels_[id.value];
  const std::uint64_t first = stamped_ ? table_.fabric.lane_number(id, LaneId{0}) : 0;
  return {static_cast<std::uint32_t>(first), channel.capacity, table_.fabric.is_processor(channel.from) ? 1U : 0U, 0};
}

void Slots::step(const StepRows& batch) {
  if (!all_lanes_differ(batch) || !stamped_) judge_exactly(batch);
}

// Counts the messages; whether every lane is in range and, where lanes are stamped, used once.
bool Slots::all_lanes_differ(const StepRows& batch) {
  if (!table_.fabric.lists_channels()) return all_lanes_differ(batch, [&](ChannelId id) { return lanes_of(id); });
  const ChannelLanes* const places = places_.data();
  return all_lanes_differ(batch, [places](ChannelId id) { return places[id.value]; });
}

template <class LanesOf>
bool Slots::all_lanes_differ(const StepRows& batch, const LanesOf& lanes_of) {
  const std::uint32_t step = batch.step.value;  // locals: the loop's stores might change members
  std::uint32_t* const stamps = stamps_.data();
  const bool stamped = stamped_;
  bool differ = true;
  std::uint64_t messages = 0;
  for (const Row& row : batch.rows) {
    const ChannelLanes place = lanes_of(row.channel);
    messages += place.of_processor;
    if (row.lane.value >= place.capacity) {
      differ = false;
    } else if (stamped) {
      std::uint32_t& stamp = stamps[place.first_lane + row.lane.value];
      differ &= stamp != step;
      stamp = step;
    }
  }
  messages_ += messages;
  return differ;
}

void Slots::judge_exactly(const StepRows& batch) {
  const std::span<const Row> rows = batch.rows;
  if (rows.size() > order_.capacity()) {
    share_.add((rows.size() - order_.capacity()) * sizeof(order_[0]));
    order_.reserve(rows.size());
  }
  order_.resize(rows.size());
  for (std::size_t index = 0; index < rows.size(); ++index) order_[index] = static_cast<std::uint32_t>(index);
  std::uint64_t compared = 0;
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    look_at_limits(limits_, compared++);
    return std::tie(rows[a].channel, rows[a].lane, a) < std::tie(rows[b].channel, rows[b].lane, b);
  });
  // Runs of the rows of one channel, and in them those of one lane. Both are judged: lanes beyond the capacity make a
  // channel too full without any lane being used twice.
  Run channel{0, 0};
  while (channel.first < order_.size()) {
    const auto row_at = [&](std::size_t at) -> const Row& { return rows[order_[at]]; };
    look_at_limits(limits_, compared++);
    Run lane{channel.first, channel.first};
    while (lane.first < order_.size() && row_at(lane.first).channel == row_at(channel.first).channel) {
      while (lane.last < order_.size() && row_at(lane.last).channel == row_at(channel.first).channel &&
             row_at(lane.last).lane == row_at(lane.first).lane) {
        ++lane.last;
      }
      judge_lane(batch, lane);
      lane.first = lane.last;
    }
    channel.last = lane.last;
    judge_channel(batch, channel);
    channel.first = channel.last;
  }
}

// All rows of one step on one lane: each is out of range or none is; more than one is contention.
void Slots::judge_lane(const StepRows& batch, Run run) {
  const std::uint32_t step = batch.step.value;
  const Row& row = batch.rows[order_[run.first]];
  const std::uint32_t capacity = channels_[row.channel.value].capacity;
  for (std::size_t at = run.first; row.lane.value >= capacity && at < run.last; ++at) {
    const std::size_t index = order_[at];
    findings_.add(Property::well_formed, step, [&] {
      const ChunkId chunk = batch.rows[index].chunk;
      std::string text = fmt::format("lane {} of channel {} does not exist: its capacity is {} ({})", row.lane.value,
                                     table_.fabric.name(row.channel), capacity, table_.collective.label(chunk));
      return BlamedViolation{{.step = batch.step, .channel = row.channel, .chunk = chunk, .message = std::move(text)},
                             RowPlace{batch.step, index}};
    });
  }
  if (run.last - run.first < 2) return;
  findings_.add(Property::contention_free, step, [&] {
    const std::size_t latest = order_[run.last - 1];
    std::string text = fmt::format("lane {} of channel {} carries {} packets in step {}: {}", row.lane.value,
                                   table_.fabric.name(row.channel), run.last - run.first, step,
                                   packet_names(table_.collective, chunks_of(batch, run)));
    return BlamedViolation{
        {.step = batch.step, .channel = row.channel, .chunk = batch.rows[latest].chunk, .message = std::move(text)},
        RowPlace{batch.step, latest}};
  });
}

void Slots::judge_channel(const StepRows& batch, Run run) {
  const ChannelId channel = batch.rows[order_[run.first]].channel;
  const std::uint32_t capacity = channels_[channel.value].capacity;
  if (run.last - run.first <= capacity) return;
  findings_.add(Property::capacity, batch.step.value, [&] {
    const std::size_t latest = *std::max_element(order_.begin() + static_cast<std::ptrdiff_t>(run.first),
                                                 order_.begin() + static_cast<std::ptrdiff_t>(run.last));
    std::string text = fmt::format("channel {} of capacity {} carries {} packets in step {}: {}",
                                   table_.fabric.name(channel), capacity, run.last - run.first, batch.step.value,
                                   packet_names(table_.collective, chunks_of(batch, run)));
    return BlamedViolation{{.step = batch.step, .channel = channel, .message = std::move(text)},
                           RowPlace{batch.step, latest}};
  });
}

std::vector<ChunkId> Slots::chunks_of(const StepRows& batch, Run run) const {
  std::vector<ChunkId> chunks;
  for (std::size_t at = run.first; at < run.last; ++at) chunks.push_back(batch.rows[order_[at]].chunk);
  return chunks;
}

}  // namespace quadrille::checker
