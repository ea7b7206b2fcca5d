// The page of theorems, verifier/THEOREMS.md: what the prover makes of each schedule that ships.
//
//     theorems_page [--update] PAGE
//
// Proves all of them anew, and compares the page between its two marks with that; --update writes it there. Cost: some
// minutes.
#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "driver/files/real_environment.h"
#include "driver/prove/prove_shipped.h"
#include "tests/golden/marked_page.h"

namespace {

using namespace quadrille;
using namespace quadrille::driver;

std::string theorems(bool /*brief*/) {
  RealEnvironment environment;
  Context context{environment};
  const auto outcome = run(ProveShippedRequest{}, context);
  if (!outcome) throw std::runtime_error(outcome.diagnostics().front().message);
  std::string text =
      fmt::format("\nProved, {} of {}:\n\n", outcome->with(ProofVerdict::proved), outcome->proofs.size());
  for (const ShippedProof& proof : outcome->proofs) {
    if (proof.verdict == ProofVerdict::proved && proof.theorem) text += fmt::format("* {}\n", proof.theorem->text);
  }
  text += "\nNot proved as a whole: why, for each property and claim; and what is proved of them nevertheless:\n\n";
  for (const ShippedProof& proof : outcome->proofs) {
    if (proof.verdict == ProofVerdict::proved) continue;
    text += fmt::format("* {}: {}\n", proof.name, to_string(proof.verdict));
    for (const std::string& each : proof.open) text += fmt::format("  - {}\n", each);
    if (proof.theorem) text += fmt::format("  - proved: {}\n", proof.theorem->text);
  }
  return text + "\n";
}

}  // namespace

int main(int count, char** arguments) {
  return golden::run_marked_page(count, arguments, {"theorems", "theorems_page", theorems});
}
