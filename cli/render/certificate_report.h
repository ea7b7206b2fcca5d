// What the judge of certificates said, as text and as JSON: for `quadrille certify` and for quadrille-certify, which
// links nothing but the judge.
#pragma once

#include <string>

#include "verifier/certificate.h"

namespace quadrille::cli {

std::string certificate_text(const Certificate& certificate, const CertificateReport& report);
std::string certificate_json(const Certificate& certificate, const CertificateReport& report);

}  // namespace quadrille::cli
