// A million rows are written one by one: as one value of nlohmann's they would take gigabytes. The object around them
// is printed without them, and its one line `  "table_rows": null` then gets the text; keys of inner objects are
// further in, and in strings no line begins.
#include "cli/render/rows_json.h"

#include <fmt/format.h>

#include "cli/render/json_pieces.h"
#include "driver/look/located_rows.h"
#include "formats/row_uses.h"

namespace quadrille::cli {
namespace {

Json place_json(const driver::WrittenLine& line) {
  return {{"file", line.file}, {"line", line.position.line}, {"column", line.position.column}};
}

Json source_of(const RowOrigin& origin, driver::WrittenLines& lines) {
  const driver::WrittenLine* line = lines.at(origin.span);
  if (line == nullptr) return nullptr;
  Json json = place_json(*line);
  json["variables"] = Json::object();
  for (const auto& [name, value] : origin.variables) json["variables"][name] = value;
  return json;
}

Json phase_of(const RowOrigin& origin, driver::WrittenLines& lines) {
  const driver::WrittenLine* line = lines.at(origin.outermost);
  if (line == nullptr) return nullptr;
  Json json = place_json(*line);
  json["text"] = line->text;
  return json;
}

Json to_json(const driver::ListedRow& it, const SendTable& table, driver::WrittenLines& lines) {
  Json json{{"step", it.step.value},
            {"channel", table.fabric.name(it.row.channel)},
            {"lane", it.row.lane.value},
            {"chunk", table.collective.label(it.row.chunk)}};
  if (it.message) json["message"] = it.message->value;
  if (it.words) {
    const auto [sent, arrival] = use_texts(*it.words);
    json["words"] = sent;
    json["arrival"] = arrival;
  }
  json["source"] = source_of(it.origin, lines);
  json["phase"] = phase_of(it.origin, lines);
  return json;
}

}  // namespace

std::string rows_text(const driver::ListedRows& listed, const SendTable& table, const Sources& sources) {
  if (listed.rows.empty()) return "[]";
  driver::WrittenLines lines(sources);
  std::string text = "[";
  for (const driver::ListedRow& row : listed.rows) {
    text += text.size() == 1 ? "\n    " : ",\n    ";
    text += to_json(row, table, lines).dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return text + "\n  ]";
}

void put_rows(std::string& object, const std::string& key, const std::string& rows) {
  const std::string line = fmt::format("\n  \"{}\": null", key);
  const std::size_t at = object.find(line);
  if (at != std::string::npos) object.replace(at + line.size() - 4, 4, rows);
}

}  // namespace quadrille::cli
