// What the prover makes of all that ships, as JSON: one document, whose schedules are printed one by one, each in a
// line of its own, and whose counts come at its end.
#include <fmt/format.h>

#include <string_view>

#include "cli/render/json_pieces.h"
#include "cli/render/render.h"

namespace quadrille::cli {
namespace {

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

}  // namespace quadrille::cli
