// `quadrille certify`: opens a certificate and judges it.
#pragma once

#include <string>

#include "driver/inputs/context.h"
#include "model/text/result.h"
#include "verifier/certificate.h"

namespace quadrille::driver {

struct CertifyRequest {
  std::string file = {};  // the files that it names are beside it
};

struct CertifyOutcome {
  Certificate certificate;
  CertificateReport report;
};

Result<CertifyOutcome> run(const CertifyRequest& request, Context& context);

// The proof that the certificate names; null if its evidence is of another kind.
const ProofFile* proof_of(const Certificate& certificate);

}  // namespace quadrille::driver
