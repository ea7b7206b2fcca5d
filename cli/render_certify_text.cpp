#include <fmt/format.h>

#include "cli/render.h"
#include "model/counted.h"

namespace quadrille::cli {
namespace {

std::string_view about_text(ProofFile::About about) {
  if (about == ProofFile::About::copies) return "";
  return about == ProofFile::About::words ? " about words" : " about copies, backwards in time";
}

std::string evidence_text(const Certificate& certificate) {
  if (const ProofFile* proof = driver::proof_of(certificate)) {
    return fmt::format("a proof{}: {}", about_text(proof->about), proof->path);
  }
  const auto& prices = std::get<std::vector<Price>>(certificate.evidence);
  return fmt::format("prices of {}", counted(prices.size(), "resource"));
}

std::string sizes_text(const CertificateReport& report) {
  return fmt::format("formula      {}, {}\nproof        {} read\n", counted(report.variables, "variable"),
                     counted(report.clauses, "clause"), counted(report.proof_lines, "line"));
}

}  // namespace

std::string render_text(const driver::CertifyOutcome& outcome, const Sources&) {
  const Certificate& certificate = outcome.certificate;
  const CertificateReport& report = outcome.report;
  return fmt::format("claim        {}\nevidence     {}\n{}because      {}\nverdict      {}\n", claim_text(certificate),
                     evidence_text(certificate), driver::proof_of(certificate) ? sizes_text(report) : "", report.why,
                     to_string(report.verdict));
}

}  // namespace quadrille::cli
