// What the prover makes of all that ships, as text: theorems, and what is missing. Each schedule stands by itself, so
// that it can be printed as soon as it is proved.
#include <fmt/format.h>

#include <algorithm>

#include "cli/render/render.h"
#include "cli/render/report_text.h"
#include "cli/render/wrapped.h"
#include "dsl/load.h"

namespace quadrille::cli {
namespace {

constexpr std::size_t list_indent = 4;

std::size_t name_width() {
  std::size_t width = 0;
  for (const ShippedFile& shipped : shipped_schedules()) width = std::max(width, shipped.name.size());
  return width;
}

std::string proof_text(AsText form, const driver::ShippedProof& proof) {
  std::string text = fmt::format("{:<{}}  {} {:>7.2f} s\n", proof.name, name_width(),
                                 form.paint(to_string(proof.verdict), 8), proof.seconds);
  const auto line = [&](const std::string& words) {
    text += std::string(list_indent, ' ') + wrapped(words, list_indent) + "\n";
  };
  if (proof.theorem) line(proof.theorem->text);
  for (const std::string& each : proof.open) line(each);
  return text;
}

// "119", or "7 of 119" where the limits were reached before.
std::string number_text(const driver::ProveShippedOutcome& outcome) {
  if (outcome.whole()) return fmt::format("{}", outcome.of);
  return fmt::format("{} of {}", outcome.proofs.size(), outcome.of);
}

}  // namespace

std::string newest(AsText form, const driver::ProveShippedOutcome& so_far) {
  return proof_text(form, so_far.proofs.back());
}

std::string rendered(AsText form, const driver::ProveShippedOutcome& outcome, const Sources&) {
  std::string text;
  for (const driver::ShippedProof& proof : outcome.proofs) text += outcome.told ? "" : proof_text(form, proof);
  return text +
         fmt::format("\nschedules   {}: {} proved, {} refuted, {} unknown\n", number_text(outcome),
                     outcome.with(ProofVerdict::proved), outcome.with(ProofVerdict::refuted),
                     outcome.with(ProofVerdict::unknown)) +
         cut_text(outcome.reason, "all were tried");
}

}  // namespace quadrille::cli
