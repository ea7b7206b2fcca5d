// What is found about a schedule in GOAL, as JSON.
#include "cli/render/goal_text.h"
#include "cli/render/json_pieces.h"
#include "cli/render/order_json.h"
#include "cli/render/render.h"

namespace quadrille::cli {
namespace {

Json goal_place_json(const driver::CheckGoalOutcome& outcome, const programs::Location& place, const Sources& sources,
                     LineNumbers& lines) {
  const auto line = lines.at(place.span);
  return {{"rank", place.rank},
          {"operation", place.index},
          {"label", line ? Json(goal_label(place, sources)) : Json()},
          {"line", line ? Json(*line) : Json()},
          {"does", goal_operation(outcome.schedule.ranks[place.rank].operations[place.index])}};
}

Json goal_place_json(const driver::CheckGoalOutcome& outcome, const std::optional<programs::Location>& place,
                     const Sources& sources) {
  LineNumbers lines(sources);
  return place ? goal_place_json(outcome, *place, sources, lines) : Json();
}

Json goal_operations_json(const driver::CheckGoalOutcome& outcome, const Sources& sources) {
  LineNumbers lines(sources);
  Json json = Json::array();
  for (std::uint32_t rank = 0; rank < outcome.schedule.ranks.size() && !outcome.operations_cut(); ++rank) {
    for (std::uint32_t i = 0; i < outcome.schedule.ranks[rank].operations.size(); ++i) {
      json.push_back(goal_place_json(outcome, programs::place_of(outcome.schedule, rank, i), sources, lines));
    }
  }
  return json;
}

// What was asked for with --operations.
void add_order(const driver::CheckGoalOutcome& outcome, const Sources& sources, Json& json) {
  if (!outcome.edges || !outcome.order_listed) return;
  json["operation_list"] = goal_operations_json(outcome, sources);
  json["edges"] = edges_json(*outcome.edges);
  json["operations_cut"] = outcome.operations_cut();
}

Json goal_property_json(const programs::PropertyVerdict& verdict) {
  Json json{{"verdict", to_string(verdict.verdict)},
            {"condition", nullptr},
            {"findings", verdict.findings},
            {"reason", reason_json(verdict.reason)},
            {"why", verdict.why}};
  if (verdict.verdict == programs::ProgramVerdict::conditional)
    json["condition"] = {{"buffer", *verdict.condition.buffer}};
  return json;
}

}  // namespace

Json order_json(const driver::CheckGoalOutcome& outcome, const Sources& sources) {
  return {{"operations", goal_operations_json(outcome, sources)},
          {"edges", edges_json(*outcome.edges)},
          {"cut", outcome.operations_cut()}};
}

std::string rendered(AsJson, const driver::CheckGoalOutcome& outcome, const Sources& sources) {
  Json json{{"verdict", to_string(outcome.report.verdict())},
            {"format", outcome.binary ? "goal_binary" : "goal"},
            {"buffer", outcome.eager_bytes},
            {"ranks", outcome.schedule.ranks.size()},
            {"operations", outcome.operations},
            {"sends", outcome.sends},
            {"dependencies", outcome.dependencies},
            {"properties", Json::object()},
            {"findings", Json::array()},
            {"waits", Json::array()}};
  for (const programs::ProgramProperty it : programs::goal_properties) {
    json["properties"][std::string(to_string(it))] = goal_property_json(outcome.report.of(it));
  }
  for (const programs::Finding& it : outcome.report.findings) {
    json["findings"].push_back({{"property", to_string(it.property)},
                                {"message", it.message},
                                {"at", goal_place_json(outcome, it.at, sources)},
                                {"other", goal_place_json(outcome, it.other, sources)}});
  }
  for (const programs::Stuck& it : outcome.report.stuck) {
    json["waits"].push_back({{"at", goal_place_json(outcome, it.at, sources)},
                             {"waits_for", it.waits_for},
                             {"other", goal_place_json(outcome, it.for_whom, sources)}});
  }
  add_order(outcome, sources, json);
  return json_text(json);
}

}  // namespace quadrille::cli
