// The frontier of a search as JSON, a point each.
#include "cli/render/json_pieces.h"
#include "cli/render/render.h"

namespace quadrille::cli {
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
             {"lower_bound", lower_bound_json(it)},
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

}  // namespace quadrille::cli
