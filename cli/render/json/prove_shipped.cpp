// What the prover makes of all that ships, as JSON.
#include "cli/render/json_pieces.h"
#include "cli/render/render.h"

namespace quadrille::cli {

std::string rendered(AsJson, const driver::ProveShippedOutcome& outcome, const Sources&) {
  Json json{{"proved", outcome.with(ProofVerdict::proved)},
            {"refuted", outcome.with(ProofVerdict::refuted)},
            {"unknown", outcome.with(ProofVerdict::unknown)},
            {"reason", reason_json(outcome.reason)},
            {"schedules", Json::array()}};
  for (const driver::ShippedProof& proof : outcome.proofs) {
    json["schedules"].push_back({{"name", proof.name},
                                 {"verdict", to_string(proof.verdict)},
                                 {"theorem", proof.theorem ? Json(proof.theorem->text) : Json(nullptr)},
                                 {"domain", proof.theorem ? Json(proof.theorem->domain) : Json(nullptr)},
                                 {"why", proof.why},
                                 {"seconds", proof.seconds}});
  }
  return json_text(json);
}

}  // namespace quadrille::cli
