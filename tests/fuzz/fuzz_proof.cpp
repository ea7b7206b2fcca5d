// Any bytes: as a core form and, from a `%` on, a proof, which must be read or refused, and judged, without a crash.
// The solver takes everything for shown.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "verifier/proof_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quadrille;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(text.find('%'), text.size());
  const Sources sources = {{"core.txt", text.substr(0, end)},
                           {"proof.txt", text.substr(std::min(end + 1, text.size()))}};
  const auto read = read_proof(sources[0], 0, sources[1], 1);
  if (!read) {
    for (const Diagnostic& error : read.diagnostics()) {
      if (error.span.known() && error.span.end > sources[error.span.source].text.size()) std::abort();
    }
    static_cast<void>(render(read.diagnostics(), sources));
    return 0;
  }
  const auto all = tables(*read);
  if (all && expanded(*read, all->front().size)) static_cast<void>(summary(*read));
  const ProofReport report = judge(*read, [](const std::string& smt2) {
    if (smt2.empty()) std::abort();
    return SolverAnswer{SolverAnswer::Word::unsat, ""};
  });
  if (report.properties.empty()) std::abort();
  return 0;
}
