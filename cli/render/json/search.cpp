// The outcome of a search as JSON.
#include "cli/render/json_pieces.h"
#include "cli/render/render.h"

namespace quadrille::cli {
namespace {

Json history_json(const std::vector<driver::SearchMoment>& history) {
  Json json = Json::array();
  for (const auto& [seconds, event] : history) {
    const bool found = event.kind == SearchEvent::Kind::found;
    json.push_back({{"seconds", seconds},
                    {"event", found ? "found" : "bound"},
                    {"steps", event.steps ? Json(*event.steps) : Json()},
                    {"how", event.how}});
  }
  return json;
}

}  // namespace

std::string rendered(AsJson, const driver::SearchOutcome& outcome, const Sources& sources) {
  const SearchResult& it = outcome.result;
  const bool in_rounds = outcome.fabric.in_rounds();
  Json json{{"verdict", to_string(it.verdict)},
            {"fabric", fabric_json(outcome.fabric)},
            {"collective", outcome.collective.notation()},
            {"inject", outcome.goal.inject_once ? "once" : "many"},
            {"paths", outcome.goal.keep_to_paths ? "kept" : "any"},
            {"words", driver::narrowing_of(it).no_kept_reductions ? Json("one") : Json()},
            {"phases", nullptr},
            {"timing", in_rounds ? "rounds" : "steps"},
            {"steps", nullptr},
            {"lower_bound", lower_bound_json(it)},
            {"bounds", Json::array()},
            {"method", nullptr},
            {"agreement", outcome.agreement ? Json(to_string(*outcome.agreement)) : Json()},
            {"reason", reason_json(it.reason)},
            {"why", nullptr},
            {"seconds", outcome.seconds},
            {"impossible", nullptr},
            {"certificate", nullptr}};
  if (outcome.goal.phases) json["phases"] = *outcome.goal.phases;
  if (it.table) {
    json["steps"] = it.steps;
    json["method"] = to_string(it.method);
  }
  if (!it.why.empty()) json["why"] = it.why;
  for (const Bound& bound : it.bounds) {
    json["bounds"].push_back({{"name", to_string(bound.kind)}, {"value", steps_json(bound)}, {"reason", bound.reason}});
  }
  if (it.impossibility) {
    json["impossible"] = {{"steps", it.impossibility->steps}, {"reason", it.impossibility->reason}};
    if (it.impossibility->by_formula) {
      json["impossible"]["variables"] = it.impossibility->variables;
      json["impossible"]["clauses"] = it.impossibility->clauses;
    }
  }
  json["history"] = history_json(outcome.history);
  if (!outcome.certificate.empty()) json["certificate"] = outcome.certificate;
  json["notes"] = outcome.notes;
  json["failures"] = diagnostics_json(outcome.failures, sources);
  return json_text(json);
}

}  // namespace quadrille::cli
