// What is found about a schedule in GOAL, as JSON.
#include "cli/goal_text.h"
#include "cli/json_pieces.h"
#include "cli/render.h"

namespace quadrille::cli {
namespace {

Json goal_place_json(const driver::CheckGoalOutcome& outcome, const std::optional<programs::GoalPlace>& place,
                     const Sources& sources) {
  if (!place) return nullptr;
  Json json{{"rank", place->rank},
            {"operation", place->index},
            {"label", nullptr},
            {"line", nullptr},
            {"does", goal_operation(outcome.schedule.ranks[place->rank].operations[place->index])}};
  if (place->span.known()) {
    json["label"] = goal_label(*place, sources);
    json["line"] = position_of(sources[place->span.source].text, place->span.begin).line;
  }
  return json;
}

Json goal_property_json(const programs::PropertyRuling& ruling) {
  Json json{{"verdict", to_string(ruling.ruling)},
            {"condition", nullptr},
            {"findings", ruling.findings},
            {"reason", reason_json(ruling.reason)},
            {"why", ruling.why}};
  if (ruling.ruling == programs::Ruling::conditional) json["condition"] = {{"buffer", *ruling.condition.buffer}};
  return json;
}

}  // namespace

std::string rendered(AsJson, const driver::CheckGoalOutcome& outcome, const Sources& sources) {
  Json json{{"verdict", to_string(outcome.judgement.ruling())},
            {"format", outcome.binary ? "goal_binary" : "goal"},
            {"buffer", outcome.eager_bytes},
            {"ranks", outcome.schedule.ranks.size()},
            {"operations", outcome.operations},
            {"sends", outcome.sends},
            {"dependencies", outcome.dependencies},
            {"properties", Json::object()},
            {"findings", Json::array()},
            {"waits", Json::array()}};
  for (const programs::Property it : programs::goal_properties) {
    json["properties"][std::string(to_string(it))] = goal_property_json(outcome.judgement.of(it));
  }
  for (const programs::GoalFinding& it : outcome.judgement.findings) {
    json["findings"].push_back({{"property", to_string(it.property)},
                                {"message", it.message},
                                {"at", goal_place_json(outcome, it.at, sources)},
                                {"other", goal_place_json(outcome, it.other, sources)}});
  }
  for (const programs::GoalWait& it : outcome.judgement.waits) {
    json["waits"].push_back({{"at", goal_place_json(outcome, it.at, sources)},
                             {"waits_for", it.waits_for},
                             {"other", goal_place_json(outcome, it.whom, sources)}});
  }
  return json_text(json);
}

}  // namespace quadrille::cli
