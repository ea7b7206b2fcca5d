// The report of check as JSON.
#include <fmt/format.h>

#include <string>

#include "cli/render/json_pieces.h"
#include "cli/render/render.h"
#include "cli/render/report_text.h"
#include "driver/look/listed_rows.h"
#include "driver/look/located_rows.h"
#include "formats/row_uses.h"
#include "model/text/source.h"

namespace quadrille::cli {
namespace {

// --- rows ----------------------------------------------------------------------------------------------------------

// rows_text prints the rows of a table as JSON, a row on a line.
//
// A million rows are written one by one: as one value of nlohmann's they would take gigabytes. The object around them
// is printed without them, and its one line `  "table_rows": null` then gets the text; keys of inner objects are
// further in, and in strings no line begins.

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

// A list, as it stands behind a key of an object that json_text() prints.
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

// Puts that list behind the key of an outermost object's text, where `null` stands.
void put_rows(std::string& object, const std::string& key, const std::string& rows) {
  const std::string line = fmt::format("\n  \"{}\": null", key);
  const std::size_t at = object.find(line);
  if (at != std::string::npos) object.replace(at + line.size() - 4, 4, rows);
}

// --- the whole -----------------------------------------------------------------------------------------------------

Json rows_json(const Violation& violation, const SendTable& table, const Sources& sources) {
  Json rows = Json::array();
  for (const ConcernedRow& it : violation.rows) {
    rows.push_back({{"step", it.step.value},
                    {"channel", table.fabric.name(it.row.channel)},
                    {"lane", it.row.lane.value},
                    {"chunk", table.collective.label(it.row.chunk)},
                    {"source", source_json(it.origin, sources)}});
  }
  return rows;
}

Json to_json(const Violation& violation, const SendTable& table, const Sources& sources) {
  Json json{{"property", to_string(violation.property)},
            {"step", nullptr},
            {"channel", nullptr},
            {"node", nullptr},
            {"chunk", nullptr},
            {"value", value_or_null(violation.value)},
            {"contribution", value_or_null(violation.contribution)},
            {"message", violation.message},
            {"source", source_json(origin_of(violation), sources)},
            {"rows_concerned", violation.rows_concerned},
            {"rows", rows_json(violation, table, sources)}};
  if (violation.step) json["step"] = violation.step->value;
  if (violation.channel) json["channel"] = table.fabric.name(*violation.channel);
  if (violation.node) json["node"] = table.fabric.name(*violation.node);
  if (violation.chunk) json["chunk"] = table.collective.label(*violation.chunk);
  for (const AddedOrder& it : violation.orders) {
    json["orders"].push_back({{"processor", it.processor.value},
                              {"sum", it.sum},
                              {"node", table.fabric.name(it.at)},
                              {"step", it.step ? Json(it.step->value) : Json()}});
  }
  return json;
}

}  // namespace

std::string rendered(AsJson, const driver::CheckOutcome& outcome, const Sources& sources) {
  const SendTable& table = outcome.table;
  const Report& report = outcome.report;
  Json json = heading_json(table, report.verdict, report.steps, outcome.bound);
  json["reason"] = reason_json(outcome.cut);
  json["table_verdict"] = to_string(outcome.table_verdict());
  json["claims_verdict"] = outcome.claims_judged ? Json(to_string(report.of(Property::claims).verdict)) : Json();
  json["invariants_verdict"] =
      outcome.claims_judged ? Json(to_string(report.of(Property::invariants).verdict)) : Json();
  json["invariant_statements"] = report.invariant_statements;
  add_measures(json, report, outcome);
  if (outcome.slow_down) {
    json["slow_down"] = {{"own_steps", outcome.slow_down->own_steps}, {"load_factor", outcome.slow_down->load_factor}};
  }
  json["costs"] = nullptr;
  if (!outcome.sizes.empty()) json["costs"] = costs_json(outcome.costs);
  json["times"] = times_json(outcome);
  json["max_queue"] = report.queues.largest;
  json["max_channel_queue"] = report.queues.largest_at_channel;
  if (report.max_buffer) json["max_buffer"] = *report.max_buffer;
  json["queue_by_level"] = report.queues.by_level;
  json["channel_queue_by_level"] = report.queues.at_channel_by_level;
  json["properties"] = Json::object();
  for (std::size_t i = 0; i < property_count; ++i) {
    const PropertyResult& result = report.properties[i];
    json["properties"][std::string(to_string(static_cast<Property>(i)))] = {{"verdict", to_string(result.verdict)},
                                                                            {"violations", result.violations},
                                                                            {"reason", reason_json(result.reason)},
                                                                            {"why", result.why}};
  }
  json["violations"] = Json::array();
  for (const Violation& violation : report.violations) json["violations"].push_back(to_json(violation, table, sources));
  json["warnings"] = diagnostics_json(outcome.warnings, sources);
  if (!outcome.rows) return json_text(json);
  json["table_rows"] = nullptr;
  json["table_rows_cut"] = outcome.rows->cut;
  std::string text = json_text(json);
  put_rows(text, "table_rows", rows_text(*outcome.rows, table, sources));
  return text;
}

}  // namespace quadrille::cli
