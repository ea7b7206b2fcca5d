// Counts rows by channel and by span of steps. Then it counts the packets that switches buffer, by a sweep over each
// switch's stays.
#include "driver/look/link_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "driver/look/switch_stays.h"
#include "model/limits/work.h"
#include "model/topology.h"
#include "motion/step_messages.h"
#include "runtime/round_meter.h"

namespace quadrille::driver {
namespace {

// --- groups ---------------------------------------------------------------------------------------------------------

// The digit of the processors' numbers that the channel changes; the first digit is the most significant. Nothing if
// it changes none, or several.
std::optional<std::size_t> changed_digit(const Channel& channel, const std::vector<std::uint32_t>& extents) {
  std::optional<std::size_t> changed;
  std::uint32_t from = channel.from.value;
  std::uint32_t to = channel.to.value;
  for (std::size_t i = extents.size(); i-- > 0; from /= extents[i], to /= extents[i]) {
    if (from % extents[i] == to % extents[i]) continue;
    if (changed) return std::nullopt;
    changed = i;
  }
  return changed;
}

using Groups = std::map<std::pair<int, std::string>, std::vector<ChannelId>>;  // in the order of the number

// The groups by dimension; empty unless each channel changes one digit of the processors' numbers.
Groups by_dimension(const Fabric& fabric) {
  const std::vector<std::uint32_t> extents = fabric.topology().dimensions();
  Groups groups;
  if (extents.size() < 2) return groups;
  for (ChannelId id(0); id.value < fabric.channels(); ++id.value) {
    const auto digit = changed_digit(fabric.channel(id), extents);
    if (!digit) return {};
    groups[{static_cast<int>(*digit), fmt::format("dimension {}", *digit + 1)}].push_back(id);
  }
  return groups;
}

std::pair<int, std::string> end_group(const Fabric& fabric, const Channel& channel) {
  const bool up = fabric.is_processor(channel.from);
  const bool down = fabric.is_processor(channel.to);
  if (up) return down ? std::pair(0, "between processors") : std::pair(1, "from processors");
  return down ? std::pair(3, "to processors") : std::pair(2, "between switches");
}

std::pair<int, std::string> level_group(const Fabric& fabric, const Channel& channel) {
  const auto from = static_cast<int>(fabric.level(channel.from));
  const auto to = static_cast<int>(fabric.level(channel.to));
  const auto most = static_cast<int>(fabric.levels());
  if (from < to) return {to, fmt::format("level {} up", to)};
  if (from > to) return {2 * most + 2 - from, fmt::format("level {} down", from)};
  return {most + 1, "within levels"};
}

Groups by_level(const Fabric& fabric) {
  Groups groups;
  const bool levels = fabric.levels() > 1 || fabric.topology().tree() != nullptr;
  for (ChannelId id(0); id.value < fabric.channels(); ++id.value) {
    const Channel& channel = fabric.channel(id);
    groups[levels ? level_group(fabric, channel) : end_group(fabric, channel)].push_back(id);
  }
  return groups;
}

// --- packets that wait ----------------------------------------------------------------------------------------------

std::vector<LevelQueue> empty_queues(const Fabric& fabric, std::size_t spans) {
  std::vector<LevelQueue> queues;
  for (std::uint32_t level = 1; level <= fabric.levels(); ++level) {
    queues.push_back({level, 0, std::vector<std::uint64_t>(spans)});
  }
  return queues;
}

// Finds the largest number of simultaneous stays in one switch, span by span.
void sweep(std::span<const BufferedStay> of_one, std::uint32_t steps_per_span, LevelQueue& queue) {
  std::map<std::uint32_t, std::int64_t> changes;  // by the step from which on
  for (const BufferedStay& stay : of_one) {
    ++changes[stay.first];
    --changes[stay.last + 1];
  }
  std::int64_t count = 0;
  for (auto it = changes.begin(); it != changes.end(); ++it) {
    count += it->second;
    if (count == 0) continue;
    const std::uint32_t last = std::next(it)->first - 1;
    queue.largest = std::max(queue.largest, static_cast<std::uint64_t>(count));
    for (std::uint32_t span = (it->first - 1) / steps_per_span; span <= (last - 1) / steps_per_span; ++span) {
      queue.over_time[span] = std::max(queue.over_time[span], static_cast<std::uint64_t>(count));
    }
  }
}

std::vector<LevelQueue> queues_of(const Fabric& fabric, const std::vector<BufferedStay>& stays, const TableUse& use) {
  std::vector<LevelQueue> queues = empty_queues(fabric, use.groups.empty() ? 0 : use.groups[0].over_time.size());
  for (std::size_t begin = 0, end = 0; begin < stays.size(); begin = end) {
    while (end < stays.size() && stays[end].node == stays[begin].node) ++end;
    const std::uint32_t level = fabric.level(stays[begin].node);
    if (level == 0 || level > queues.size()) continue;
    sweep(std::span(stays).subspan(begin, end - begin), use.steps_per_span, queues[level - 1]);
  }
  return queues;
}

// --- rows -----------------------------------------------------------------------------------------------------------

std::vector<GroupUse> empty_groups(const Fabric& fabric, std::size_t spans) {
  std::vector<GroupUse> groups;
  for (ChannelGroup& group : channel_groups(fabric)) {
    GroupUse use{std::move(group), 0, 0, std::vector<std::uint64_t>(spans)};
    for (const ChannelId id : use.group.channels) use.lanes += fabric.channel(id).capacity;
    groups.push_back(std::move(use));
  }
  return groups;
}

std::vector<std::size_t> group_by_channel(const std::vector<GroupUse>& groups, std::size_t channels) {
  std::vector<std::size_t> result(channels);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (const ChannelId id : groups[i].group.channels) result[id.value] = i;
  }
  return result;
}

bool queues_wanted(const SendTable& table) {
  return table.fabric.levels() > 0 && !table.fabric.in_rounds() &&
         table.rows->row_count().value_or(0) <= most_rows_with_queues;
}

}  // namespace

std::vector<ChannelGroup> channel_groups(const Fabric& fabric) {
  Groups groups = fabric.levels() > 0 ? by_level(fabric) : by_dimension(fabric);
  if (groups.empty()) {
    for (ChannelId id(0); id.value < fabric.channels(); ++id.value) groups[{0, "all channels"}].push_back(id);
  }
  std::vector<ChannelGroup> result;
  for (auto& [name, channels] : groups) result.push_back({name.second, std::move(channels)});
  return result;
}

std::uint64_t last_step_with_rows(const SendTable& table, const Limits& limits) {
  if (const auto known = table.rows->last_step()) return known->value;
  std::uint64_t last = 0;
  const auto cursor = table.rows->open();
  while (const auto batch = cursor->next()) {
    if (!batch->rows.empty()) last = batch->step.value;
    if (limits.reached() != Reason::none) break;
  }
  return last;
}

std::vector<std::uint64_t> lane_turns(const SendTable& table, const TableUse& use, const Limits& limits) {
  std::vector<std::uint64_t> turns;
  for (std::uint64_t first = 0; first < use.steps; first += use.steps_per_span) {
    turns.push_back(table.fabric.in_rounds() ? 0 : std::min<std::uint64_t>(use.steps_per_span, use.steps - first));
  }
  if (!table.fabric.in_rounds()) return turns;
  try {
    Work work(limits);
    StepMessages messages(table.fabric, table.collective, work);
    replaying::RoundMeter meter(table.fabric);
    const auto cursor = table.rows->open();
    while (const auto batch = cursor->next()) {
      if (batch->step.value > use.steps || batch->step.value == 0) continue;  // of a table that was not read to its end
      const std::uint64_t before = meter.volume();
      meter.round(*batch, messages.read(*batch));
      turns[(batch->step.value - 1) / use.steps_per_span] += meter.volume() - before;
    }
  } catch (const Ended&) {  // whoever reads the rows next meets the same limit, and says so
  }
  return turns;
}

TableUse table_use(const SendTable& table, std::uint32_t most_spans, const Limits& limits) {
  TableUse use;
  use.steps = last_step_with_rows(table, limits);
  use.steps_per_span =
      static_cast<std::uint32_t>(std::max<std::uint64_t>(1, (use.steps + most_spans - 1) / most_spans));
  use.groups = empty_groups(table.fabric, (use.steps + use.steps_per_span - 1) / use.steps_per_span);
  use.turns = lane_turns(table, use, limits);
  use.by_channel.resize(table.fabric.channels());
  const std::vector<std::size_t> groups = group_by_channel(use.groups, table.fabric.channels());
  const Limits few_packets;  // since there are few rows
  Work work(few_packets);
  std::optional<SwitchStays> stays;
  if (queues_wanted(table)) stays.emplace(table, work);
  const auto cursor = table.rows->open();
  while (const auto batch = cursor->next()) {
    if (use.ended_early = limits.reached(); use.ended_early != Reason::none) break;
    if (batch->step.value > use.steps || batch->step.value == 0) continue;  // of a table that was not read to its end
    const std::size_t span = (batch->step.value - 1) / use.steps_per_span;
    for (const Row& row : batch->rows) {
      ++use.by_channel[row.channel.value];
      ++use.groups[groups[row.channel.value]].over_time[span];
      ++use.groups[groups[row.channel.value]].rows;
    }
    use.rows += batch->rows.size();
    if (use.rows > most_rows_with_queues) stays.reset();
    if (stays) stays->add(*batch);
  }
  if (use.ended_early == Reason::none) use.ended_early = cursor->ended_early();
  if (stays) use.queues = queues_of(table.fabric, stays->finished(), use);
  return use;
}

}  // namespace quadrille::driver
