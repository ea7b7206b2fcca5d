// Writes evidence that a search has found something to be impossible, in the form of verifier/CERTIFICATES.md.
#pragma once

#include <optional>
#include <string>

#include "driver/files/environment.h"
#include "verifier/search.h"

namespace quadrille::driver {

struct SearchedQuestion {
  const Fabric& fabric;
  const Collective& collective;
  const SearchGoal& goal;
  const SearchResult& result;
  Engine engine = Engine::cadical;  // Z3 gives no proofs
};

// The certificate of result.impossibility; nothing if there is none, or no evidence for it.
std::optional<std::string> certificate_text(const SearchedQuestion& searched);

struct CertificateFiles {
  std::string written;                 // the certificate's path; empty: none was written
  std::string note;                    // the reason why there is none
  std::optional<std::string> failure;  // the file that could not be written, and the reason
};

// Makes the folder, and in it the certificate and, if a formula is the evidence, the proof and the formula.
CertificateFiles write_certificate(const SearchedQuestion& searched, const std::string& folder,
                                   Environment& environment);

}  // namespace quadrille::driver
