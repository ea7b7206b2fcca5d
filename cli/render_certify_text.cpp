// The report of certify as text (certificate_report.h).
#include "cli/certificate_report.h"
#include "cli/render.h"

namespace quadrille::cli {

std::string rendered(AsText, const driver::CertifyOutcome& outcome, const Sources&) {
  return certificate_text(outcome.certificate, outcome.report);
}

}  // namespace quadrille::cli
