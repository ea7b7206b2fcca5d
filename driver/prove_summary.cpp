#include "driver/prove_summary.h"

#include <algorithm>
#include <optional>

namespace quadrille::driver {
namespace {

ProofVerdict worse(ProofVerdict a, ProofVerdict b) {
  for (const ProofVerdict verdict : {ProofVerdict::refuted, ProofVerdict::unknown}) {
    if (a == verdict || b == verdict) return verdict;
  }
  return ProofVerdict::proved;
}

// Whether what is beyond the prover is among the obligations: then a property's other obligations are all there.
bool told_which(const Proof& proof) {
  return std::any_of(proof.obligations.begin(), proof.obligations.end(),
                     [&](const ProvedObligation& obligation) { return obligation.why == proof.why; });
}

std::optional<ProofVerdict> worst(std::string_view property, const Proof& proof) {
  std::optional<ProofVerdict> result;
  for (const ProvedObligation& obligation : proof.obligations) {
    if (to_string(obligation.property) == property)
      result = worse(obligation.verdict, result.value_or(obligation.verdict));
  }
  return result;
}

}  // namespace

ProofVerdict verdict_of(std::string_view property, const Proof& proof) {
  const bool all_there = proof.why.empty() || told_which(proof);
  const ProofVerdict rest = all_there ? ProofVerdict::proved : ProofVerdict::unknown;
  const ProofVerdict own = worse(rest, worst(property, proof).value_or(ProofVerdict::proved));
  // Packets with lanes of their own, all below the capacity, are not too many; rules for ports are obligations.
  if (property != "capacity") return own;
  const ProofVerdict lanes = verdict_of("contention_free", proof);
  return worse(own, lanes == ProofVerdict::proved ? lanes : ProofVerdict::unknown);
}

}  // namespace quadrille::driver
