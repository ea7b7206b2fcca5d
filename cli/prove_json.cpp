#include <fmt/format.h>

#include "cli/json_pieces.h"
#include "cli/prove_report.h"

namespace quadrille::cli {
namespace {

Json violation_json(const driver::SizeResult& result, std::string_view property) {
  if (!result.refused.empty()) return result.refused.front().message;
  const Violation* violation = result.first(property);
  if (violation == nullptr) return nullptr;
  return fmt::format("{}: {}", to_string(violation->property), violation->message);
}

Json counterexample_json(const ProvedObligation& obligation, const ProveReport& report) {
  if (!obligation.counterexample) return nullptr;
  const Counterexample& found = *obligation.counterexample;
  Json json{{"arguments", found.arguments}, {"variables", Json::object()}, {"text", found.text}};
  for (const auto& [name, value] : found.values) json["variables"][name] = value;
  json["confirmed"] = nullptr;
  json["violation"] = nullptr;
  json["command"] = nullptr;
  if (found.confirmed) {
    json["command"] = check_command(found.arguments, report);
    json["confirmed"] = *found.confirmed;
    json["violation"] = violation_json(report.sizes.at(found.arguments), obligation.property);
  }
  return json;
}

// Where the second packet is sent, if it is about two.
Json second_json(const ProvedObligation& obligation, const ProveReport& report) {
  if (!obligation.second_span.known()) return nullptr;
  return source_json({obligation.second_span, {}}, report.sources);
}

Json obligation_json(const ProvedObligation& obligation, const ProveReport& report) {
  return {{"name", obligation.name},
          {"property", obligation.property},
          {"for", obligation.where},
          {"meaning", obligation.meaning},
          {"theory", obligation.theory},
          {"verdict", to_string(obligation.verdict)},
          {"reason", obligation.reason},
          {"vacuous", obligation.vacuous ? Json(*obligation.vacuous) : Json(nullptr)},
          {"seconds", obligation.seconds},
          {"source", source_json({obligation.span, {}}, report.sources)},
          {"second_source", second_json(obligation, report)},
          {"counterexample", counterexample_json(obligation, report)}};
}

}  // namespace

std::string prove_json(const ProveReport& report) {
  const Proof& proof = report.proof;
  Json values = Json::object();
  for (const ProvedParameter& parameter : proof.parameters) values[parameter.name] = parameter.values;
  Json json{{"verdict", to_string(proof.verdict)},
            {"schedule", report.schedule.name},
            {"machine", proof.machine},
            {"range", proof.verdict == ProofVerdict::proved ? values : Json(nullptr)},
            {"asked", values},
            {"properties", Json::object()},
            {"beyond", nullptr},
            {"obligations", Json::array()}};
  for (const std::string_view property : proved_properties) {
    json["properties"][std::string(property)] = to_string(verdict_of(property, proof));
  }
  if (!proof.beyond.empty()) {
    json["beyond"] = {{"reason", proof.beyond}, {"source", source_json({proof.beyond_span, {}}, report.sources)}};
  }
  for (const ProvedObligation& obligation : proof.obligations) {
    json["obligations"].push_back(obligation_json(obligation, report));
  }
  return json_text(json);
}

}  // namespace quadrille::cli
