#include "verifier/prove.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "compiler/ir.h"
#include "verifier/prover/prover.h"

namespace quadrille {
namespace {

// A proof for one more value of the pattern parameters.
void add(Proof& whole, Proof proof, const std::string& where) {
  for (ProvedObligation& obligation : proof.obligations) obligation.where = where;
  const bool first = whole.parameters.empty() && whole.beyond.empty();
  if (first) {
    whole = std::move(proof);
    return;
  }
  const std::size_t named = std::min(whole.parameters.size(), proof.parameters.size());  // a failed proof names none
  for (std::size_t i = 0; i < named; ++i) {
    if (whole.parameters[i].values != proof.parameters[i].values) {
      whole.parameters[i].values += " or " + proof.parameters[i].values;
    }
  }
  if (whole.machine != proof.machine) whole.machine += "; " + proof.machine;
  whole.obligations.insert(whole.obligations.end(), proof.obligations.begin(), proof.obligations.end());
  if (whole.beyond.empty()) {
    whole.beyond = proof.beyond;
    whole.beyond_span = proof.beyond_span;
  }
  const auto either = [&](ProofVerdict v) { return whole.verdict == v || proof.verdict == v; };
  if (either(ProofVerdict::unknown)) whole.verdict = ProofVerdict::unknown;
  if (proof.verdict == ProofVerdict::refuted) whole.verdict = ProofVerdict::refuted;
}

// Whether something is refuted, and the checker says so, too.
bool confirmed(const Proof& proof) {
  return std::any_of(proof.obligations.begin(), proof.obligations.end(), [](const ProvedObligation& obligation) {
    return obligation.verdict == ProofVerdict::refuted && obligation.counterexample->confirmed.value_or(false);
  });
}

}  // namespace

std::string_view to_string(ProofVerdict verdict) {
  switch (verdict) {
    case ProofVerdict::proved:
      return "proved";
    case ProofVerdict::refuted:
      return "refuted";
    case ProofVerdict::unknown:
      return "unknown";
  }
  return "";
}

Proof prove(const ir::Schedule& schedule, const ProveOptions& options) {
  std::vector<std::string> patterns;  // those without a value
  for (const ir::Parameter& parameter : schedule.parameters) {
    const bool given = options.arguments.count(parameter.name) > 0;
    if (parameter.pattern && !parameter.idle && !given) patterns.push_back(parameter.name);
  }
  Proof whole;
  for (const std::string word : {"constant", "exponential"}) {
    auto arguments = options.arguments;
    for (const std::string& name : patterns) arguments[name] = word;
    prover::Prover prover(schedule, options, arguments);
    Proof proof = prover.run();
    if (patterns.empty()) return proof;
    const bool any = word == std::string("constant") && !prover.uses_capacities();
    for (ProvedParameter& parameter : proof.parameters) {
      const bool pattern = std::find(patterns.begin(), patterns.end(), parameter.name) != patterns.end();
      if (pattern && any) parameter.values = "any";
    }
    if (any) return proof;
    const bool enough = options.until_refuted && confirmed(proof);
    add(whole, std::move(proof), fmt::format("{}={}", fmt::join(patterns, "="), word));
    if (enough) break;
  }
  return whole;
}

}  // namespace quadrille
