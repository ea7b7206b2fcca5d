#include "cli/json_pieces.h"
#include "cli/render.h"

namespace quadrille::cli {
namespace {

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

}  // namespace

std::string render_json(const driver::CertifyOutcome& outcome, const Sources&) {
  const Certificate& certificate = outcome.certificate;
  const CertificateReport& report = outcome.report;
  Json json{{"verdict", to_string(report.verdict)},
            {"reason", report.why},
            {"fabric", certificate.fabric.notation()},
            {"collective", certificate.collective.notation()},
            {"steps", certificate.steps},
            {"inject", certificate.inject_once ? "once" : "many"},
            {"paths", certificate.paths_kept ? "kept" : "any"},
            {"phases", or_null(certificate.phases)}};
  if (const ProofFile* proof = driver::proof_of(certificate)) {
    json["evidence"] = "proof";
    json["proof"] = proof->path;
    json["about"] = to_string(proof->about);
    json["variables"] = report.variables;
    json["clauses"] = report.clauses;
    json["proof_lines"] = report.proof_lines;
  } else {
    json["evidence"] = "prices";
    json["worth"] = or_null(report.worth);
    json["paid"] = or_null(report.paid);
  }
  return json_text(json);
}

}  // namespace quadrille::cli
