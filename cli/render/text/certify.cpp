// The report of certify as text (certificate_report.h).
#include "cli/render/certificate_report.h"
#include "cli/render/render.h"

namespace quadrille::cli {

std::string rendered(AsText form, const driver::CertifyOutcome& outcome, const Sources&) {
  // The verdict is the last word of the text.
  std::string text = certificate_text(outcome.certificate, outcome.report);
  const std::string_view verdict = to_string(outcome.report.verdict);
  text.resize(text.size() - verdict.size() - 1);
  return text + form.paint(verdict) + "\n";
}

}  // namespace quadrille::cli
