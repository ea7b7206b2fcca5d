// A certificate's report as text and as JSON. Apart, since quadrille-certify prints the same and links nothing of
// driver/.
#include "cli/render/certificate_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/render/wrapped.h"
#include "model/fabric_notation.h"
#include "model/text/counted.h"
#include "model/text/printable.h"

namespace quadrille::cli {
namespace {

using ReportJson = nlohmann::ordered_json;

const ProofFile* proof_of(const Certificate& certificate) { return std::get_if<ProofFile>(&certificate.evidence); }

std::string_view about_text(ProofFile::About about, bool volume) {
  if (about == ProofFile::About::copies) return "";
  if (about == ProofFile::About::rounds) return volume ? " about what messages bring" : " about who hears from whom";
  return about == ProofFile::About::partial_reductions ? " about partial reductions" : " about copies, time-reversed";
}

std::string evidence_text(const Certificate& certificate) {
  if (const ProofFile* proof = proof_of(certificate)) {
    return fmt::format("a proof{}: {}", about_text(proof->about, certificate.volume.has_value()),
                       printable(proof->path));
  }
  if (std::holds_alternative<Doublings>(certificate.evidence)) return "doublings";
  if (const auto* groups = std::get_if<GroupCuts>(&certificate.evidence)) {
    return fmt::format("borders of {}", counted(groups->groups.size(), "group"));
  }
  const auto& prices = std::get<std::vector<Price>>(certificate.evidence);
  return fmt::format("prices of {}", counted(prices.size(), "resource"));
}

std::string sizes_text(const CertificateReport& report) {
  return fmt::format("formula      {}, {}\nproof        {} read\n", counted(report.variables, "variable"),
                     counted(report.clauses, "clause"), counted(report.proof_lines, "line"));
}

template <class T>
ReportJson or_null(const std::optional<T>& value) {
  return value ? ReportJson(*value) : ReportJson();
}

}  // namespace

std::string certificate_text(const Certificate& certificate, const CertificateReport& report) {
  constexpr std::size_t column = 13;  // where the values begin
  return fmt::format("claim        {}\nevidence     {}\n{}because      {}\nverdict      {}\n",
                     wrapped(claim_text(certificate), column), evidence_text(certificate),
                     proof_of(certificate) ? sizes_text(report) : "", wrapped(report.why, column),
                     to_string(report.verdict));
}

std::string certificate_json(const Certificate& certificate, const CertificateReport& report) {
  const CertificateScope scope = scope_of(certificate);
  ReportJson json{{"verdict", to_string(report.verdict)},
                  {"reason", report.why},
                  {"code", report.reason == Reason::none ? ReportJson() : ReportJson(to_string(report.reason))},
                  {"fabric", ReportJson::parse(json_value(certificate.fabric))},
                  {"collective", certificate.collective.notation()},
                  {"steps", certificate.steps},
                  {"inject", scope.inject_once ? "once" : "many"},
                  {"paths", scope.paths_kept ? "kept" : "any"},
                  {"words", scope.no_kept_reductions ? ReportJson("one") : ReportJson()},
                  {"phases", or_null(scope.phases)},
                  {"volume", or_null(certificate.volume)}};
  if (const ProofFile* proof = proof_of(certificate)) {
    json["evidence"] = "proof";
    json["proof"] = printable(proof->path);
    json["about"] = to_string(proof->about);
    json["variables"] = report.variables;
    json["clauses"] = report.clauses;
    json["proof_lines"] = report.proof_lines;
  } else if (std::holds_alternative<Doublings>(certificate.evidence)) {
    json["evidence"] = "doublings";
  } else {
    json["evidence"] = std::holds_alternative<GroupCuts>(certificate.evidence) ? "groups" : "prices";
    json["worth"] = or_null(report.worth);
    json["paid"] = or_null(report.paid);
  }
  return json.dump(2, ' ', false, ReportJson::error_handler_t::replace) + "\n";
}

}  // namespace quadrille::cli
