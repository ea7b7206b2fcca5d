// The outcomes of searches, for a table, a frontier or a message size, and the bounds, as JSON.
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
                    {"steps", value_or_null(event.steps)},
                    {"how", event.how}});
  }
  return json;
}

Json to_json(const Bound& bound) {
  Json json{{"name", to_string(bound.kind)}, {"steps", value_or_null(bound.steps)}, {"reason", bound.reason}};
  if (bound.paper) {
    json["paper"] = {{"formula", bound.paper->text}, {"value", bound.paper->value}, {"source", bound.paper->source}};
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
            {"phases", value_or_null(outcome.goal.phases)},
            {"timing", in_rounds ? "rounds" : "steps"},
            {"steps", nullptr},
            {"lower_bound", value_or_null(it.lower_bound)},
            {"bounds", Json::array()},
            {"method", nullptr},
            {"agreement", outcome.agreement ? Json(to_string(*outcome.agreement)) : Json()},
            {"reason", reason_json(it.reason)},
            {"why", nullptr},
            {"seconds", outcome.seconds},
            {"impossible", nullptr},
            {"certificate", nullptr}};
  if (it.table) {
    json["steps"] = it.steps;
    json["method"] = to_string(it.method);
  }
  if (!it.why.empty()) json["why"] = it.why;
  for (const Bound& bound : it.bounds) {
    json["bounds"].push_back(
        {{"name", to_string(bound.kind)}, {"value", value_or_null(bound.steps)}, {"reason", bound.reason}});
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

// The frontier of a search as JSON, a point each.
std::string rendered(AsJson, const driver::FrontierOutcome& outcome, const Sources& sources) {
  Json json{{"fabric", fabric_json(outcome.fabric)},
            {"collective", outcome.collective.notation()},
            {"chunks", outcome.collective.description().parts},
            {"reason", reason_json(outcome.reason)},
            {"points", Json::array()}};
  for (const driver::FrontierPoint& point : outcome.points) {
    const SearchResult& it = point.result;
    const Narrowing narrowed = driver::narrowing_of(it);
    Json one{{"steps", point.steps},
             {"volume", nullptr},
             {"rounds", nullptr},  // what volume was called
             {"verdict", to_string(it.verdict)},
             {"lower_bound", value_or_null(it.lower_bound)},
             {"reason", driver::why_not_fewer(it)},
             {"inject", narrowed.inject_once ? "once" : "many"},
             {"paths", narrowed.paths_kept ? "kept" : "any"},
             {"words", narrowed.no_kept_reductions ? Json("one") : Json()},
             {"code", reason_json(it.reason)},
             {"why", it.why.empty() ? Json() : Json(it.why)},
             {"method", to_string(it.method)}};
    if (it.table) one["volume"] = one["rounds"] = it.steps;
    one["certificate"] = nullptr;
    if (!point.certificate.empty()) one["certificate"] = point.certificate;
    json["points"].push_back(std::move(one));
  }
  json["notes"] = outcome.notes;
  json["failures"] = diagnostics_json(outcome.failures, sources);
  return json_text(json);
}

// The schedule of least time for a message size, as JSON.
std::string rendered(AsJson, const driver::CostSearchOutcome& outcome, const Sources&) {
  Json json{{"verdict", outcome.optimal() ? "optimal"
                        : outcome.found   ? "found"
                                          : "unknown"},
            {"fabric", fabric_json(outcome.fabric)},
            {"collective", outcome.collective.notation()},
            {"costs", costs_json(outcome.costs)},
            {"size", outcome.size},
            {"schedule", nullptr},
            {"chunks", nullptr},
            {"rounds", nullptr},
            {"volume", nullptr},
            {"load", nullptr},
            {"hops", nullptr},
            {"seconds", nullptr},
            {"bandwidth", nullptr},
            {"at_least", outcome.at_least},
            {"reason", reason_json(outcome.reason)}};
  if (outcome.found) {
    json["schedule"] = outcome.found->table.schedule;
    json["chunks"] = outcome.found->table.collective.message_parts();
    json["rounds"] = outcome.found->rounds;
    json["volume"] = outcome.found->volume;
    json["load"] = fraction_json(outcome.found->load);
    json["hops"] = outcome.found->hops;
    json["seconds"] = outcome.found->seconds;
    json["bandwidth"] = bandwidth_json(outcome.collective, outcome.size, outcome.found->seconds);
  }
  return json_text(json);
}

// The bounds as JSON.
std::string rendered(AsJson, const driver::BoundsOutcome& outcome, const Sources&) {
  const std::vector<Bound>& bounds = outcome.bounds;
  Json json{{"collective", outcome.collective.notation()},
            {"fabric", fabric_json(outcome.fabric)},
            {"lower_bound", value_or_null(bounds.front().steps)},
            {"reason", reason_json(outcome.reason)},
            {"bounds", Json::array()}};
  for (const Bound& bound : bounds) json["bounds"].push_back(to_json(bound));
  if (!outcome.volume.empty()) {
    json["volume_lower_bound"] = value_or_null(outcome.volume.front().steps);
    json["volume_bounds"] = Json::array();
    for (const Bound& bound : outcome.volume) json["volume_bounds"].push_back(to_json(bound));
  }
  return json_text(json);
}

}  // namespace quadrille::cli
