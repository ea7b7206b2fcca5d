// The bounds as JSON.
#include "cli/render/json_pieces.h"
#include "cli/render/render.h"

namespace quadrille::cli {
namespace {

Json to_json(const Bound& bound) {
  Json json{{"name", to_string(bound.kind)}, {"steps", steps_json(bound)}, {"reason", bound.reason}};
  if (bound.paper) {
    json["paper"] = {{"formula", bound.paper->text}, {"value", bound.paper->value}, {"source", bound.paper->source}};
  }
  return json;
}

}  // namespace

std::string rendered(AsJson, const driver::BoundsOutcome& outcome, const Sources&) {
  const std::vector<Bound>& bounds = outcome.bounds;
  Json json{{"collective", outcome.collective.notation()},
            {"fabric", fabric_json(outcome.fabric)},
            {"lower_bound", steps_json(bounds.front())},
            {"reason", reason_json(outcome.reason)},
            {"bounds", Json::array()}};
  for (const Bound& bound : bounds) json["bounds"].push_back(to_json(bound));
  if (!outcome.volume.empty()) {
    json["volume_lower_bound"] = steps_json(outcome.volume.front());
    json["volume_bounds"] = Json::array();
    for (const Bound& bound : outcome.volume) json["volume_bounds"].push_back(to_json(bound));
  }
  return json_text(json);
}

}  // namespace quadrille::cli
