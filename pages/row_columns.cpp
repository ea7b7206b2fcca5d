// Columns take a third of the room that objects would: "step":[1,1,2], "channel":[…]. One that is the same throughout,
// as lanes mostly are, is that value alone.
#include "pages/row_columns.h"

#include <algorithm>

namespace quadrille::pages {
namespace {

using Json = nlohmann::ordered_json;

Json shortened(const std::vector<std::int64_t>& column) {
  const bool alike = !column.empty() && std::ranges::all_of(column, [&](auto it) { return it == column.front(); });
  return alike ? Json(column.front()) : Json(column);
}

}  // namespace

std::int64_t NumberedPlaces::of(Span span) {
  const auto next = static_cast<std::int64_t>(places_.size());
  const auto [it, isnew] = known_.try_emplace({span.source, span.begin}, next);
  if (isnew) places_.push_back(span);
  return it->second;
}

void RowColumns::add(const driver::ListedRow& row) {
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

void RowColumns::add_values(const RowOrigin& origin, std::int64_t place) {
  for (const auto& [name, value] : origin.variables) values_.push_back(value);
  value_end_.push_back(values_.size());
  if (place != static_cast<std::int64_t>(variables_.size())) return;
  std::vector<std::string>& names = variables_.emplace_back();
  for (const auto& [name, value] : origin.variables) names.push_back(name);
}

Json RowColumns::values() const {
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

Json RowColumns::places(const NumberedPlaces& places) {
  Json json = Json::array();
  for (const Span& span : places.in_order()) {
    const driver::WrittenLine* line = lines_.at(span);
    json.push_back(
        {{"file", line->file}, {"line", line->position.line}, {"column", line->position.column}, {"text", line->text}});
  }
  return json;
}

Json RowColumns::finished() {
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

}  // namespace quadrille::pages
