// A proof as JSON: every obligation with its verdict, theory and counterexample.
#include <fmt/format.h>

#include "cli/render/json_pieces.h"
#include "cli/render/prove_view.h"
#include "cli/render/render.h"

namespace quadrille::cli {
namespace {

Json violation_json(const driver::SizeResult& result, std::optional<Property> property) {
  if (!result.refused.empty()) return result.refused.front().message;
  const Violation* violation = result.first(property);
  if (violation == nullptr) return nullptr;
  return fmt::format("{}: {}", to_string(violation->property), violation->message);
}

Json counterexample_json(const ProvedObligation& obligation, const ProveView& view) {
  if (!obligation.counterexample) return nullptr;
  const Counterexample& found = *obligation.counterexample;
  Json json{{"arguments", found.arguments}, {"variables", Json::object()}, {"text", found.text}};
  for (const auto& [name, value] : found.values) json["variables"][name] = value;
  json["confirmed"] = nullptr;
  json["violation"] = nullptr;
  json["command"] = nullptr;
  if (found.confirmed) {
    json["command"] = check_command(found.arguments, view);
    json["confirmed"] = *found.confirmed;
    json["violation"] = violation_json(view.checked(found.arguments), driver::checked_property(obligation.property));
  }
  return json;
}

// Where the second packet is sent, if it is about two.
Json second_json(const ProvedObligation& obligation, const ProveView& view) {
  if (!obligation.second_span.known()) return nullptr;
  return source_json({obligation.second_span, {}}, view.sources);
}

Json obligation_json(const ProvedObligation& obligation, const ProveView& view) {
  return {{"name", obligation.name},
          {"property", to_string(obligation.property)},
          {"for", obligation.where},
          {"meaning", obligation.meaning},
          {"theory", to_string(obligation.theory)},
          {"verdict", to_string(obligation.verdict)},
          {"reason", obligation.why},
          {"code", reason_json(obligation.reason)},
          {"vacuous", obligation.vacuous ? Json(*obligation.vacuous) : Json(nullptr)},
          {"seconds", obligation.seconds},
          {"source", source_json({obligation.span, {}}, view.sources)},
          {"second_source", second_json(obligation, view)},
          {"counterexample", counterexample_json(obligation, view)}};
}

}  // namespace

std::string rendered(AsJson, const driver::ProveOutcome& outcome, const Sources& sources) {
  const ProveView view{outcome, sources};
  const Proof& proof = view.proof();
  Json values = Json::object();
  for (const ProvedParameter& parameter : proof.parameters) values[parameter.name] = parameter.values;
  Json json{{"verdict", to_string(proof.verdict)},
            {"reason", reason_json(proof.reason)},
            {"schedule", view.schedule().name},
            {"machine", proof.machine},
            {"theorem", outcome.theorem ? Json(outcome.theorem->text) : Json(nullptr)},
            {"optimal", outcome.theorem ? Json(outcome.theorem->optimal) : Json(nullptr)},
            {"domain", outcome.theorem ? Json(outcome.theorem->domain) : Json(nullptr)},
            {"range", proof.verdict == ProofVerdict::proved ? values : Json(nullptr)},
            {"asked", values},
            {"properties", Json::object()},
            {"invariants", Json::array()},
            {"beyond", nullptr},
            {"obligations", Json::array()}};
  for (const ProvedProperty property : driver::proved_properties) {
    json["properties"][std::string(to_string(property))] = to_string(driver::verdict_of(property, proof));
  }
  for (const driver::ProvedInvariant& it : outcome.invariants) {
    json["invariants"].push_back(
        {{"text", it.text}, {"verdict", to_string(it.verdict)}, {"source", source_json({it.span, {}}, sources)}});
  }
  if (!proof.why.empty()) {
    json["beyond"] = {{"reason", proof.why}, {"source", source_json({proof.why_span, {}}, view.sources)}};
  }
  for (const ProvedObligation& obligation : proof.obligations) {
    json["obligations"].push_back(obligation_json(obligation, view));
  }
  return json_text(json);
}

}  // namespace quadrille::cli
