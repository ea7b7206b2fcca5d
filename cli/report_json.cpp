#include "cli/report_json.h"

#include "cli/json_pieces.h"
#include "cli/report_text.h"

namespace quadrille::cli {
namespace {

// What both have in common.
Json heading_json(const SendTable& table, Verdict verdict, std::uint64_t steps, const Bound& bound) {
  return {{"verdict", to_string(verdict)},
          {"schedule", table.schedule},
          {"fabric", table.fabric.notation()},
          {"collective", table.collective.notation()},
          {"steps", steps},
          {"lower_bound", steps_json(bound)},
          {"lower_bound_reason", bound.reason}};
}

Json to_json(const Violation& violation, const SendTable& table, const Sources& sources) {
  Json json{{"property", to_string(violation.property)},
            {"step", nullptr},
            {"channel", nullptr},
            {"node", nullptr},
            {"chunk", nullptr},
            {"message", violation.message},
            {"source", source_json(origin_of(violation), sources)}};
  if (violation.step) json["step"] = violation.step->value;
  if (violation.channel) json["channel"] = table.fabric.name(*violation.channel);
  if (violation.node) json["node"] = table.fabric.name(*violation.node);
  if (violation.chunk) json["chunk"] = table.collective.label(*violation.chunk);
  return json;
}

Json to_json(const Fault& fault, const SendTable& table) {
  Json json{{"property", "replay"}, {"step", fault.step.value}, {"channel", nullptr},
            {"chunk", nullptr},     {"message", fault.message}, {"source", nullptr}};
  if (fault.step.value == 0) json["step"] = nullptr;
  if (fault.channel) json["channel"] = table.fabric.name(*fault.channel);
  if (fault.chunk) json["chunk"] = table.collective.label(*fault.chunk);
  return json;
}

Json to_json(const LevelUse& use) {
  return {{"level", use.level},     {"direction", use.down ? "down" : "up"},
          {"lanes", use.lanes},     {"rows", use.rows},
          {"busiest", use.busiest}, {"over_time", use.over_time}};
}

Json to_json(const Bound& bound) {
  Json json{{"name", bound.name}, {"steps", steps_json(bound)}, {"reason", bound.reason}};
  if (bound.paper) {
    json["paper"] = {{"formula", bound.paper->text}, {"value", bound.paper->value}, {"source", bound.paper->source}};
  }
  return json;
}

}  // namespace

Verdict table_verdict(const Report& report) {
  Verdict verdict = Verdict::holds;
  for (std::size_t i = 0; i < property_count; ++i) {
    const auto property = static_cast<Property>(i);
    if (property == Property::claims || property == Property::thrifty) continue;
    verdict = both(verdict, report.of(property).verdict);
  }
  return verdict;
}

std::string check_json(const SendTable& table, const Report& report, const Bound& bound, bool claims_judged,
                       const Sources& sources) {
  Json json = heading_json(table, report.verdict, report.steps, bound);
  json["table_verdict"] = to_string(table_verdict(report));
  json["claims_verdict"] = claims_judged ? Json(to_string(report.of(Property::claims).verdict)) : Json();
  json["messages"] = report.messages;
  json["rows"] = report.rows;
  json["max_queue"] = report.queues.largest;
  json["max_channel_queue"] = report.queues.largest_at_channel;
  json["queue_by_level"] = report.queues.by_level;
  json["channel_queue_by_level"] = report.queues.at_channel_by_level;
  json["properties"] = Json::object();
  for (std::size_t i = 0; i < property_count; ++i) {
    const PropertyResult& result = report.properties[i];
    json["properties"][std::string(to_string(static_cast<Property>(i)))] = {
        {"verdict", to_string(result.verdict)}, {"violations", result.violations}, {"why", result.why}};
  }
  json["violations"] = Json::array();
  for (const Violation& violation : report.violations) json["violations"].push_back(to_json(violation, table, sources));
  return json_text(json);
}

std::string replay_json(const SendTable& table, const Measurements& measured, const Bound& bound) {
  Json json = heading_json(table, measured.verdict, measured.steps, bound);
  json["messages"] = measured.messages;
  json["rows"] = measured.rows;
  json["delivered"] = measured.delivered;
  json["demanded"] = measured.demanded;
  json["max_queue"] = measured.max_queue;
  json["max_channel_queue"] = measured.max_channel_queue;
  json["queue_by_level"] = measured.queue_by_level;
  json["channel_queue_by_level"] = measured.channel_queue_by_level;
  json["steps_per_bucket"] = measured.steps_per_bucket;
  json["link_use"] = Json::array();
  for (const LevelUse& use : measured.use) json["link_use"].push_back(to_json(use));
  json["why"] = measured.why;
  json["violation_count"] = measured.fault_count;
  json["violations"] = Json::array();
  for (const Fault& fault : measured.faults) json["violations"].push_back(to_json(fault, table));
  return json_text(json);
}

std::string bounds_json(const Fabric& fabric, const Collective& collective, const std::vector<Bound>& bounds) {
  Json json{{"collective", collective.notation()},
            {"fabric", fabric.notation()},
            {"lower_bound", steps_json(bounds.front())},
            {"bounds", Json::array()}};
  for (const Bound& bound : bounds) json["bounds"].push_back(to_json(bound));
  return json_text(json);
}

}  // namespace quadrille::cli
