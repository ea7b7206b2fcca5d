// Everything goes column by column; numbers are places in the lists of names beside them.
#include "pages/table_blocks.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "driver/look/link_use.h"
#include "driver/look/listed_rows.h"
#include "driver/look/located_rows.h"
#include "driver/look/table_cells.h"
#include "model/layout/positions.h"
#include "model/send_table.h"
#include "model/text/source.h"

namespace quadrille::pages {
namespace {

// --- columns -------------------------------------------------------------------------------------------------------

// RowColumns writes rows as columns of numbers, and the lists of names that the numbers stand for (PAGE.md).
//
// Columns take a third of the room that objects would: "step":[1,1,2], "channel":[…]. One that is the same throughout,
// as lanes mostly are, is that value alone.

using Json = nlohmann::ordered_json;

Json shortened(const std::vector<std::int64_t>& column) {
  const bool alike = !column.empty() && std::ranges::all_of(column, [&](auto it) { return it == column.front(); });
  return alike ? Json(column.front()) : Json(column);
}

// Places in texts, numbered in the order in which they come.
class NumberedPlaces {
 public:
  std::int64_t of(Span span) {
    const auto next = static_cast<std::int64_t>(places_.size());
    const auto [it, isnew] = known_.try_emplace({span.source, span.begin}, next);
    if (isnew) places_.push_back(span);
    return it->second;
  }

  const std::vector<Span>& in_order() const { return places_; }

 private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> known_;  // by source and beginning
  std::vector<Span> places_;
};

class RowColumns {
 public:
  // Both outlive it.
  RowColumns(const SendTable& table, const Sources& sources) : table_(table), lines_(sources) {}

  void add(const driver::ListedRow& row) {
    step_.push_back(row.step.value);
    channel_.push_back(row.row.channel.value);
    lane_.push_back(row.row.lane.value);
    const auto next = static_cast<std::int64_t>(chunks_.size());
    const auto [it, isnew] = chunk_numbers_.try_emplace(row.row.chunk, next);
    if (isnew) chunks_.push_back(row.row.chunk);
    chunk_.push_back(it->second);
    place_.push_back(lines_.at(row.origin.span) == nullptr ? -1 : places_.of(row.origin.span));
    phase_.push_back(lines_.at(row.origin.outermost) == nullptr ? -1 : phases_.of(row.origin.outermost));
    if (row.message) message_.push_back(row.message->value);
    add_values(row.origin, place_.back());
  }

  Json finished() {
    Json json{{"step", step_},     {"channel", channel_},        {"lane", shortened(lane_)},
              {"chunk", chunk_},   {"place", shortened(place_)}, {"phase", shortened(phase_)},
              {"values", values()}};
    if (table_.rows->has_messages()) json["message"] = message_;
    json["chunks"] = Json::array();
    json["origins"] = Json::array();
    for (const ChunkId chunk : chunks_) {
      json["chunks"].push_back(table_.collective.label(chunk));
      json["origins"].push_back(table_.collective.name(chunk).origin);
    }
    json["places"] = places(places_);
    for (std::size_t i = 0; i < variables_.size(); ++i) json["places"][i]["variables"] = variables_[i];
    json["phases"] = places(phases_);
    return json;
  }

 private:
  void add_values(const RowOrigin& origin, std::int64_t place) {
    for (const auto& [name, value] : origin.variables) values_.push_back(value);
    value_end_.push_back(values_.size());
    if (place != static_cast<std::int64_t>(variables_.size())) return;
    std::vector<std::string>& names = variables_.emplace_back();
    for (const auto& [name, value] : origin.variables) names.push_back(name);
  }

  Json values() const {
    if (values_.empty()) return nullptr;
    Json json = Json::array();
    std::size_t begin = 0;
    for (const std::size_t end : value_end_) {
      json.push_back(std::vector(values_.begin() + static_cast<std::ptrdiff_t>(begin),
                                 values_.begin() + static_cast<std::ptrdiff_t>(end)));
      begin = end;
    }
    return json;
  }

  Json places(const NumberedPlaces& places) {
    Json json = Json::array();
    for (const Span& span : places.in_order()) {
      const driver::WrittenLine* line = lines_.at(span);
      json.push_back({{"file", line->file},
                      {"line", line->position.line},
                      {"column", line->position.column},
                      {"text", line->text}});
    }
    return json;
  }

  const SendTable& table_;
  driver::WrittenLines lines_;
  std::vector<std::int64_t> step_, channel_, lane_, chunk_, place_, phase_, message_;
  std::vector<std::int64_t> values_;    // of all rows, one after another
  std::vector<std::size_t> value_end_;  // by row
  std::unordered_map<ChunkId, std::int64_t> chunk_numbers_;
  std::vector<ChunkId> chunks_;
  NumberedPlaces places_;
  NumberedPlaces phases_;
  std::vector<std::vector<std::string>> variables_;  // by place
};

// --- blocks --------------------------------------------------------------------------------------------------------

constexpr std::uint32_t most_nodes_placed = 5000;
constexpr std::size_t most_channels_named = 50'000;
constexpr std::size_t most_source_bytes = 1'000'000;
constexpr std::uint32_t most_use_spans = 200;

PageBlock block(std::string id, const Json& json) {
  return {std::move(id), json.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

// --- the machine ----------------------------------------------------------------------------------------------------

Json nodes_json(const Fabric& fabric, const Limits& limits) {
  Json json{{"names", Json::array()}, {"levels", Json::array()}, {"x", Json::array()}, {"y", Json::array()}};
  const bool placed = fabric.nodes() <= most_nodes_placed;
  const std::vector<NodePosition> places = placed ? positions(fabric, limits) : std::vector<NodePosition>();
  for (NodeId id(0); id.value < fabric.nodes(); ++id.value) {
    json["names"].push_back(fabric.name(id));
    json["levels"].push_back(fabric.level(id));
    if (!placed) continue;
    json["x"].push_back(places[id.value].x);
    json["y"].push_back(places[id.value].y);
  }
  return json;
}

Json channels_json(const Fabric& fabric) {
  Json json{{"names", Json::array()}, {"from", Json::array()}, {"to", Json::array()}, {"capacity", Json::array()}};
  for (ChannelId id(0); id.value < fabric.channels(); ++id.value) {
    const Channel& channel = fabric.channel(id);
    if (fabric.channels() <= most_channels_named) json["names"].push_back(fabric.name(id));
    json["from"].push_back(channel.from.value);
    json["to"].push_back(channel.to.value);
    json["capacity"].push_back(channel.capacity);
  }
  return json;
}

Json numbers(const std::vector<ChannelId>& channels) {
  Json json = Json::array();
  for (const ChannelId id : channels) json.push_back(id.value);
  return json;
}

Json machine_json(const TablePart& part) {
  const Fabric& fabric = part.table.fabric;
  Json groups = Json::array();
  for (const driver::ChannelGroup& group : driver::channel_groups(fabric)) {
    groups.push_back({{"name", group.name}, {"channels", numbers(group.channels)}});
  }
  return {{"fabric", fabric.title()},          {"timing", fabric.in_rounds() ? "rounds" : "steps"},
          {"processors", fabric.processors()}, {"nodes", nodes_json(fabric, part.limits)},
          {"channels", channels_json(fabric)}, {"groups", std::move(groups)}};
}

// --- rows -----------------------------------------------------------------------------------------------------------

struct Rows {
  Json json;
  bool all = false;  // none is missing
};

// Whether the table has no more rows than may be shown.
bool few_rows(const SendTable& table, const Limits& limits) {
  if (const auto count = table.rows->row_count()) return *count <= most_rows_shown;
  std::uint64_t rows = 0;
  const auto cursor = table.rows->open();
  while (const auto batch = cursor->next()) {
    rows += batch->rows.size();
    if (rows > most_rows_shown || limits.reached() != Reason::none) return false;
  }
  return true;
}

std::vector<driver::StepRange> windows_of(const TablePart& part, bool all) {
  if (part.window) return {*part.window};
  if (all) return {driver::StepRange()};
  std::vector<driver::StepRange> windows;
  for (const std::uint32_t step : std::set(part.steps.begin(), part.steps.end())) windows.push_back({step, step});
  return windows;
}

Rows rows_of(const TablePart& part) {
  const bool all = !part.window && few_rows(part.table, part.limits);
  RowColumns columns(part.table, part.sources);
  const std::vector<driver::StepRange> windows = windows_of(part, all);
  const driver::ListedRows rows = driver::list_rows_in(windows, part.table, part.limits, most_rows_shown);
  for (const driver::ListedRow& row : rows.rows) columns.add(row);
  Json listed = Json::array();
  for (const driver::StepRange& window : windows) {
    if (!rows.cut || (!rows.rows.empty() && window.last < rows.rows.back().step.value)) {
      listed.push_back({window.first, window.last});
    }
  }
  const bool cut = !all || rows.cut;
  Json json = columns.finished();
  json["cut"] = cut;
  json["listed"] = std::move(listed);
  return {std::move(json), !cut};
}

// --- counts ---------------------------------------------------------------------------------------------------------

Json cells_json(const TablePart& part, const driver::TableCells& cells) {
  driver::WrittenLines lines(part.sources);
  Json phases = Json::array();
  for (const Span& span : cells.phases) {
    const driver::WrittenLine* line = lines.at(span);
    Json& phase = phases.emplace_back(nullptr);
    if (line != nullptr) phase = {{"file", line->file}, {"line", line->position.line}, {"text", line->text}};
  }
  Json lines_of_channels = Json::array();
  for (const driver::CellLine& line : cells.lines) {
    lines_of_channels.push_back({{"group", line.group}, {"channels", numbers(line.channels)}});
  }
  Json counts = Json::array();
  Json commonest = Json::array();
  for (const auto& of_line : cells.cells) {
    counts.push_back(Json::array());
    commonest.push_back(Json::array());
    for (const driver::TableCell& cell : of_line) {
      counts.back().push_back(cell.rows);
      commonest.back().push_back(cell.phase);
    }
  }
  return {{"steps", cells.use.steps},
          {"steps_per_span", cells.use.steps_per_span},
          {"lines", std::move(lines_of_channels)},
          {"count", std::move(counts)},
          {"phase", std::move(commonest)},
          {"phases", std::move(phases)}};
}

Json use_json(const driver::TableUse& use) {
  Json groups = Json::array();
  for (const driver::GroupUse& group : use.groups) {
    groups.push_back(
        {{"name", group.group.name}, {"lanes", group.lanes}, {"rows", group.rows}, {"over_time", group.over_time}});
  }
  Json queues = Json::array();
  for (const driver::LevelQueue& queue : use.queues) {
    queues.push_back({{"level", queue.level}, {"largest", queue.largest}, {"over_time", queue.over_time}});
  }
  return {{"steps", use.steps},
          {"rows", use.rows},
          {"steps_per_span", use.steps_per_span},
          {"turns", use.turns},
          {"cut", use.ended_early != Reason::none},
          {"by_channel", use.by_channel},
          {"groups", std::move(groups)},
          {"queues", std::move(queues)}};
}

Json sources_json(const TablePart& part, const Json& rows) {
  std::set<std::string> files;
  for (const Json& place : rows["places"]) files.insert(place["file"].get<std::string>());
  for (const Json& place : rows["phases"]) files.insert(place["file"].get<std::string>());
  Json json = Json::array();
  std::size_t bytes = 0;
  for (const Source& source : part.sources) {
    bytes += source.text.size();
    if (!files.contains(source.name) || bytes > most_source_bytes) continue;
    json.push_back({{"name", source.name}, {"text", source.text}});
  }
  return json;
}

}  // namespace

std::vector<PageBlock> table_blocks(const TablePart& part) {
  Rows rows = rows_of(part);
  std::vector<PageBlock> blocks;
  blocks.push_back(block("machine", machine_json(part)));
  blocks.push_back(block("sources", sources_json(part, rows.json)));
  blocks.push_back(block("rows", rows.json));
  if (rows.all) {
    blocks.push_back(block("use", use_json(driver::table_use(part.table, most_use_spans, part.limits))));
    return blocks;
  }
  const driver::TableCells cells = driver::table_cells(part.table, {}, part.limits);
  blocks.push_back(block("use", use_json(cells.use)));
  blocks.push_back(block("cells", cells_json(part, cells)));
  return blocks;
}

}  // namespace quadrille::pages
