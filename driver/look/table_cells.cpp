// Rows come in the order of their steps. So the phases of a span are counted line by line while it lasts, and only
// the most frequent is kept. If rows know their origins, the cursor over the origins gives the rows, too.
#include "driver/look/table_cells.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace quadrille::driver {
namespace {

std::size_t lines_of(const std::vector<ChannelGroup>& groups, std::size_t together) {
  std::size_t count = 0;
  for (const ChannelGroup& group : groups) count += (group.channels.size() + together - 1) / together;
  return count;
}

// The lines: as few channels in each as the number of lines allows, and at least one line for each group.
std::vector<CellLine> lines_of(const Fabric& fabric, std::uint32_t most) {
  const std::vector<ChannelGroup> groups = channel_groups(fabric);
  std::size_t together = 1;
  while (together < fabric.channels() && lines_of(groups, together) > most) together *= 2;
  std::vector<CellLine> lines;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const std::span channels(groups[group].channels);
    for (std::size_t i = 0; i < channels.size(); i += together) {
      const auto piece = channels.subspan(i, std::min(together, channels.size() - i));
      lines.push_back({static_cast<std::uint32_t>(group), {piece.begin(), piece.end()}});
    }
  }
  return lines;
}

// The rows of a step, with their phases where these are known.
struct StepPhases {
  StepId step;
  std::span<const Row> rows;
  std::vector<Span> phases = {};
};

// Reads the rows of a table with their phases.
class PhasedCursor {
 public:
  explicit PhasedCursor(const SendTable& table) : origins_(table.rows->open_origins()) {
    if (origins_ == nullptr) rows_ = table.rows->open();
  }

  std::optional<StepPhases> next() {
    if (origins_ != nullptr) {
      const auto step = origins_->next();
      if (!step) return std::nullopt;
      return StepPhases{*step, origins_->rows(), origins_->phases()};
    }
    const auto batch = rows_->next();
    if (!batch) return std::nullopt;
    return StepPhases{batch->step, batch->rows};
  }

 private:
  std::unique_ptr<OriginCursor> origins_;  // or else …
  std::unique_ptr<RowCursor> rows_;
};

class CellCounts {
 public:
  CellCounts(const SendTable& table, const TableUse& use, std::uint32_t lines)
      : steps_per_span_(use.steps_per_span), line_(table.fabric.channels()) {
    result_.lines = lines_of(table.fabric, lines);
    const std::size_t spans = (use.steps + use.steps_per_span - 1) / use.steps_per_span;
    result_.cells.assign(result_.lines.size(), std::vector<TableCell>(spans));
    result_.use = use;
    result_.use.by_channel.assign(table.fabric.channels(), 0);
    for (std::size_t line = 0; line < result_.lines.size(); ++line) {
      for (const ChannelId id : result_.lines[line].channels) line_[id.value] = static_cast<std::uint32_t>(line);
    }
  }

  void add(const StepPhases& batch) {
    const std::uint32_t span = (batch.step.value - 1) / steps_per_span_;
    if (span != span_) end_span();
    span_ = span;
    // Consecutive rows mostly belong to one phase.
    for (std::size_t begin = 0, end = 0; begin < batch.rows.size(); begin = end) {
      end = batch.phases.empty() ? batch.rows.size() : begin + 1;
      while (end < batch.rows.size() && batch.phases[end] == batch.phases[begin]) ++end;
      add(batch.rows.subspan(begin, end - begin), batch.phases.empty() ? Span() : batch.phases[begin]);
    }
  }

  TableCells finished(const Fabric& fabric) {
    end_span();
    for (ChannelGroup& group : channel_groups(fabric)) {
      GroupUse use{std::move(group), 0, 0, std::vector<std::uint64_t>(result_.cells.front().size())};
      for (const ChannelId id : use.group.channels) {
        use.lanes += fabric.channel(id).capacity;
        use.rows += result_.use.by_channel[id.value];
      }
      result_.use.rows += use.rows;
      result_.use.groups.push_back(std::move(use));
    }
    for (std::size_t line = 0; line < result_.lines.size(); ++line) {
      std::vector<std::uint64_t>& over_time = result_.use.groups[result_.lines[line].group].over_time;
      for (std::size_t span = 0; span < over_time.size(); ++span) over_time[span] += result_.cells[line][span].rows;
    }
    return std::move(result_);
  }

 private:
  void add(std::span<const Row> rows, Span phase) {
    std::vector<std::uint64_t>& counts = counts_[number_of(phase)];
    counts.resize(result_.lines.size());
    for (const Row& row : rows) {
      ++result_.use.by_channel[row.channel.value];
      ++counts[line_[row.channel.value]];
    }
  }

  std::int32_t number_of(Span phase) {
    if (!phase.known()) return -1;
    const auto next = static_cast<std::int32_t>(result_.phases.size());
    const auto [it, isnew] = numbers_.try_emplace({phase.source, phase.begin}, next);
    if (isnew) result_.phases.push_back(phase);
    return it->second;
  }

  // Ends a span. Among equally frequent phases it takes the first one.
  void end_span() {
    for (std::size_t line = 0; line < result_.lines.size() && !counts_.empty(); ++line) {
      TableCell& cell = result_.cells[line][span_];
      std::uint64_t most = 0;
      for (const auto& [phase, counts] : counts_) {
        cell.rows += counts[line];
        if (counts[line] > most) cell.phase = phase;
        most = std::max(most, counts[line]);
      }
    }
    counts_.clear();
  }

  TableCells result_;
  std::uint32_t steps_per_span_;
  std::vector<std::uint32_t> line_;                            // by channel
  std::map<std::int32_t, std::vector<std::uint64_t>> counts_;  // rows of this span, by phase and line
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int32_t> numbers_;
  std::uint32_t span_ = 0;
};

}  // namespace

TableCells table_cells(const SendTable& table, const CellsWanted& wanted, const Limits& limits) {
  TableUse use;
  use.steps = last_step_with_rows(table, limits);
  if (use.steps == 0) return {};
  use.steps_per_span = static_cast<std::uint32_t>((use.steps + wanted.spans - 1) / wanted.spans);
  use.turns = lane_turns(table, use, limits);
  CellCounts counts(table, use, wanted.lines);
  PhasedCursor cursor(table);
  Reason ended = Reason::none;
  while (const auto batch = cursor.next()) {
    if (ended = limits.reached(); ended != Reason::none) break;
    if (batch->step.value > use.steps) break;  // of a table that was not read to its end
    counts.add(*batch);
  }
  TableCells cells = counts.finished(table.fabric);
  const bool missing = cells.use.rows < table.rows->row_count().value_or(0);
  cells.use.ended_early = ended == Reason::none && missing ? Reason::limit : ended;
  return cells;
}

}  // namespace quadrille::driver
