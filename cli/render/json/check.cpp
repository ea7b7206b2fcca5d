// The report of check as JSON.
#include "cli/render/json_pieces.h"
#include "cli/render/render.h"
#include "cli/render/report_text.h"
#include "cli/render/rows_json.h"

namespace quadrille::cli {
namespace {

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
            {"value", nullptr},
            {"contribution", nullptr},
            {"message", violation.message},
            {"source", source_json(origin_of(violation), sources)},
            {"rows_concerned", violation.rows_concerned},
            {"rows", rows_json(violation, table, sources)}};
  if (violation.step) json["step"] = violation.step->value;
  if (violation.channel) json["channel"] = table.fabric.name(*violation.channel);
  if (violation.node) json["node"] = table.fabric.name(*violation.node);
  if (violation.chunk) json["chunk"] = table.collective.label(*violation.chunk);
  if (violation.value) json["value"] = *violation.value;
  if (violation.contribution) json["contribution"] = *violation.contribution;
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
  json["messages"] = report.messages;
  json["rows"] = report.rows;
  if (report.volume) {
    json["rounds"] = report.steps;
    json["volume"] = *report.volume;
    json["load"] = fraction_json(report.load);
    json["hops"] = *report.hops;
    json["volume_lower_bound"] = steps_json(*outcome.volume_bound);
    json["volume_lower_bound_reason"] = outcome.volume_bound->reason;
  }
  if (outcome.slow_down) {
    json["slow_down"] = {{"own_steps", outcome.slow_down->own_steps}, {"load_factor", outcome.slow_down->load_factor}};
  }
  json["costs"] = nullptr;
  if (!outcome.sizes.empty()) json["costs"] = costs_json(outcome.costs);
  json["times"] = Json::array();
  for (std::size_t i = 0; i < outcome.sizes.size(); ++i) {
    const auto& seconds = outcome.times[i];
    json["times"].push_back({{"size", outcome.sizes[i]},
                             {"seconds", seconds ? Json(*seconds) : Json()},
                             {"bandwidth", bandwidth_json(outcome.table.collective, outcome.sizes[i], seconds)}});
  }
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
