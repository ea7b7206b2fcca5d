// The report of certify as JSON (certificate_report.h).
#include "cli/render/certificate_report.h"
#include "cli/render/render.h"

namespace quadrille::cli {

std::string rendered(AsJson, const driver::CertifyOutcome& outcome, const Sources&) {
  return certificate_json(outcome.certificate, outcome.report);
}

}  // namespace quadrille::cli
