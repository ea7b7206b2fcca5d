// The comparison as JSON.
#include "cli/render/json_pieces.h"
#include "cli/render/render.h"

namespace quadrille::cli {
namespace {

template <class Number>
Json number_json(const std::optional<Number>& number) {
  return number ? Json(*number) : Json();
}

Json to_json(const driver::Compared& it) {
  Json json{{"name", it.algorithm},
            {"chunks", it.chunks},
            {"rounds", nullptr},
            {"volume", nullptr},
            {"load", nullptr},
            {"hops", nullptr},
            {"steps", number_json(it.steps)},
            {"lower_bound", it.steps ? steps_json(it.bound) : Json()},
            {"seconds", Json::array()}};
  if (it.in_rounds) {
    json["rounds"] = it.in_rounds->rounds;
    json["volume"] = it.in_rounds->volume;
    json["load"] = fraction_json(it.in_rounds->load);
    json["hops"] = it.in_rounds->hops;
  }
  for (const auto& time : it.times) json["seconds"].push_back(number_json(time));
  return json;
}

}  // namespace

std::string rendered(AsJson, const driver::CompareOutcome& outcome, const Sources&) {
  Json json{{"collective", outcome.collective.notation()},
            {"fabric", outcome.fabric.notation()},
            {"costs", costs_json(outcome.costs)},
            {"sizes", outcome.sizes},
            {"reason", reason_json(outcome.reason)},
            {"algorithms", Json::array()},
            {"best", Json::array()},
            {"at_least", outcome.at_least}};
  for (const driver::Compared& it : outcome.algorithms) json["algorithms"].push_back(to_json(it));
  for (const auto& best : outcome.best) {
    json["best"].push_back(best ? Json(outcome.algorithms[*best].algorithm) : Json());
  }
  return json_text(json);
}

}  // namespace quadrille::cli
