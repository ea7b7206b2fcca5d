#include "tests/reference/mutants.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "tests/reference/random_reductions.h"

namespace quadrille::reference {

namespace {

using StepRow = StoredRows::StepRow;

// A row, changed; and the name of the change.
using Change = std::pair<const char*, StepRow>;

void change_step(std::vector<Change>& changes, const StepRow& row) {
  StepRow changed = row;
  changed.step = StepId(row.step.value + 1);
  changes.emplace_back("later", changed);
  if (row.step.value == 1) return;
  changed.step = StepId(row.step.value - 1);
  changes.emplace_back("earlier", changed);
}

void change_lane(std::vector<Change>& changes, const Fabric& fabric, const StepRow& row) {
  const std::uint32_t capacity = fabric.channel(row.row.channel).capacity;
  StepRow changed = row;
  changed.row.lane = LaneId(capacity);
  changes.emplace_back("no such lane", changed);
  if (capacity == 1) return;
  changed.row.lane = LaneId((row.row.lane.value + 1) % capacity);
  changes.emplace_back("lane", changed);
}

void change_channel(std::vector<Change>& changes, const Fabric& fabric, const StepRow& row) {
  const auto add = [&](const char* kind, ChannelId channel) {
    if (channel == row.row.channel) return;
    StepRow changed = row;
    changed.row.channel = channel;
    changed.row.lane = LaneId(row.row.lane.value % fabric.channel(channel).capacity);
    changes.emplace_back(kind, changed);
  };
  const Channel& channel = fabric.channel(row.row.channel);
  for (const ChannelId other : fabric.channels_to(channel.to)) add("from", other);
  for (const ChannelId other : fabric.channels_from(channel.from)) add("to", other);
  // Two elsewhere, spread over the fabric.
  const std::uint32_t number = row.row.channel.value;
  add("elsewhere", ChannelId((number * 5 + row.step.value * 3 + 1) % fabric.channels()));
  add("elsewhere", ChannelId((number * 7 + row.step.value + 2) % fabric.channels()));
}

void change_chunk(std::vector<Change>& changes, const Collective& collective, const StepRow& row) {
  for (const std::uint64_t distance : {std::uint64_t{1}, std::uint64_t{collective.processors()} + 2}) {
    StepRow changed = row;
    changed.row.chunk = ChunkId((row.row.chunk.value + distance) % collective.chunk_ids());
    const bool exists = collective.chunk(collective.name(changed.row.chunk)) == changed.row.chunk;
    if (exists && changed.row.chunk != row.row.chunk) changes.emplace_back("chunk", changed);
  }
}

std::vector<Change> changes_of(const SendTable& table, const StepRow& row) {
  std::vector<Change> changes;
  change_step(changes, row);
  change_lane(changes, table.fabric, row);
  change_channel(changes, table.fabric, row);
  change_chunk(changes, table.collective, row);
  return changes;
}

std::string text_of(const SendTable& table, std::size_t index, const StepRow& it) {
  return fmt::format("row {} (step {}, {}, lane {}, {})", index, it.step.value, table.fabric.name(it.row.channel),
                     it.row.lane.value, table.collective.label(it.row.chunk));
}

}  // namespace

SendTable with_rows(const SendTable& table, std::vector<StepRow> rows) {
  SendTable result = table;
  result.rows = std::make_shared<StoredRows>(std::move(rows));
  if (const auto* worded = dynamic_cast<const WithReductions*>(table.rows.get()))
    result.rows = worded->with(result.rows);
  return result;
}

void for_each_mutant(const SendTable& table, const std::function<bool(const Mutant&)>& visit) {
  const std::vector<StepRow> rows = all_rows(table);
  const auto try_rows = [&](std::vector<StepRow> changed, std::size_t index, const char* kind) {
    return visit(
        {with_rows(table, std::move(changed)), kind, fmt::format("{}: {}", text_of(table, index, rows[index]), kind)});
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto dropped = rows;
    dropped.erase(dropped.begin() + static_cast<std::ptrdiff_t>(i));
    if (!try_rows(std::move(dropped), i, "drop")) return;
    auto twice = rows;
    twice.push_back(rows[i]);
    if (!try_rows(std::move(twice), i, "duplicate")) return;
    for (const auto& [kind, row] : changes_of(table, rows[i])) {
      auto changed = rows;
      changed[i] = row;
      if (!try_rows(std::move(changed), i, kind)) return;
    }
  }
}

}  // namespace quadrille::reference
