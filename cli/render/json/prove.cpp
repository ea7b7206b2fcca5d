// A proof as JSON: every obligation with its verdict, theory and counterexample.
#include <fmt/format.h>

#include <string_view>

#include "cli/render/json_pieces.h"
#include "cli/render/prove_view.h"
#include "cli/render/render.h"
#include "cli/render/report_text.h"
#include "compiler/ir.h"

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
          {"vacuous", value_or_null(obligation.vacuous)},
          {"seconds", obligation.seconds},
          {"source", source_json({obligation.span, {}}, view.sources)},
          {"second_source", second_json(obligation, view)},
          {"counterexample", counterexample_json(obligation, view)}};
}

constexpr std::string_view opening = "{\n  \"schedules\": [";

Json proof_json(const driver::ShippedProof& proof) {
  return {{"name", proof.name},
          {"verdict", to_string(proof.verdict)},
          {"theorem", proof.theorem ? Json(proof.theorem->text) : Json(nullptr)},
          {"domain", proof.theorem ? Json(proof.theorem->domain) : Json(nullptr)},
          {"open", proof.open},
          {"seconds", proof.seconds}};
}

std::string line_of(const driver::ShippedProof& proof, bool first) {
  return fmt::format("{}\n    {}", first ? opening : ",", json_line(proof_json(proof)));
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

// The proofs of all that ships are one document: its schedules are printed one by one, each in a line of its own, and
// its counts come at its end.
std::string newest(AsJson, const driver::ProveShippedOutcome& so_far) {
  return line_of(so_far.proofs.back(), so_far.proofs.size() == 1);
}

std::string rendered(AsJson, const driver::ProveShippedOutcome& outcome, const Sources&) {
  std::string text;
  if (!outcome.told) {
    for (const driver::ShippedProof& proof : outcome.proofs) text += line_of(proof, text.empty());
  }
  if (outcome.proofs.empty()) text += opening;
  text += fmt::format("{}],\n", outcome.proofs.empty() ? "" : "\n  ");
  const Json counts{{"tried", outcome.proofs.size()},
                    {"of", outcome.of},
                    {"proved", outcome.with(ProofVerdict::proved)},
                    {"refuted", outcome.with(ProofVerdict::refuted)},
                    {"unknown", outcome.with(ProofVerdict::unknown)},
                    {"reason", reason_json(outcome.reason)}};
  return text + json_text(counts).substr(2);  // the rest of the object that is open
}

// Sizes checked one by one, as JSON; `"proof": false` says that this is none.
std::string rendered(AsJson, const driver::SizesOutcome& outcome, const Sources&) {
  Json json{{"verdict", to_string(outcome.verdict)},
            {"reason", reason_json(outcome.reason)},
            {"proof", false},
            {"schedule", outcome.schedule->name},
            {"sizes", Json::array()}};
  for (const driver::CheckedSize& size : outcome.checked) {
    json["sizes"].push_back({{"arguments", size.arguments},
                             {"verdict", to_string(size.result.verdict)},
                             {"reason", reason_json(size.result.reason)},
                             {"steps", size.result.steps},
                             {"rows", size.result.rows},
                             {"why", why_text(size.result)}});
  }
  return json_text(json);
}

}  // namespace quadrille::cli
