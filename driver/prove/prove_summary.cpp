// A property is proved if all its obligations were written and proved; it is refuted if one obligation is refuted.
#include "driver/prove/prove_summary.h"

namespace quadrille::driver {
namespace {

ProofVerdict worse(ProofVerdict a, ProofVerdict b) {
  for (const ProofVerdict verdict : {ProofVerdict::refuted, ProofVerdict::unknown}) {
    if (a == verdict || b == verdict) return verdict;
  }
  return ProofVerdict::proved;
}

std::optional<ProofVerdict> worst(ProvedProperty property, const Proof& proof) {
  std::optional<ProofVerdict> result;
  for (const ProvedObligation& obligation : proof.obligations) {
    if (obligation.property == property) result = worse(obligation.verdict, result.value_or(obligation.verdict));
  }
  return result;
}

// The worst verdict of this invariant's obligations and those for all invariants; nothing if there are none.
std::optional<ProofVerdict> worst_of(const ir::Invariant& invariant, const Proof& proof) {
  std::optional<ProofVerdict> result;
  for (const ProvedObligation& obligation : proof.obligations) {
    if (obligation.property != ProvedProperty::invariants) continue;
    if (!obligation.claim.empty() && obligation.claim != invariant.text) continue;
    result = worse(obligation.verdict, result.value_or(obligation.verdict));
  }
  return result;
}

}  // namespace

std::optional<Property> checked_property(ProvedProperty property) {
  switch (property) {
    case ProvedProperty::well_formed:
      return Property::well_formed;
    case ProvedProperty::contention_free:
      return Property::contention_free;
    case ProvedProperty::capacity:
      return Property::capacity;
    case ProvedProperty::causal:
      return Property::causal;
    case ProvedProperty::queue:
      return Property::queue;
    case ProvedProperty::complete:
      return Property::complete;
    case ProvedProperty::claims:
      return Property::claims;
    case ProvedProperty::invariants:
      return Property::invariants;
    case ProvedProperty::holds_at_small_sizes:
      break;
  }
  return std::nullopt;
}

ProofVerdict verdict_of(ProvedProperty property, const Proof& proof) {
  const ProofVerdict rest = proof.all_listed ? ProofVerdict::proved : ProofVerdict::unknown;
  const ProofVerdict own = worse(rest, worst(property, proof).value_or(ProofVerdict::proved));
  // Packets with lanes of their own, all below the capacity, are not too many. The rules for ports are obligations.
  if (property != ProvedProperty::capacity) return own;
  const ProofVerdict lanes = verdict_of(ProvedProperty::contention_free, proof);
  return worse(own, lanes == ProofVerdict::proved ? lanes : ProofVerdict::unknown);
}

std::vector<ProvedInvariant> proved_invariants(const ir::Schedule& schedule, const Proof& proof) {
  std::vector<ProvedInvariant> result;
  ProofVerdict before = proof.all_listed ? ProofVerdict::proved : ProofVerdict::unknown;
  for (const ir::Invariant& invariant : schedule.invariants) {
    ProofVerdict verdict = worst_of(invariant, proof).value_or(before);
    if (verdict == ProofVerdict::proved && before != ProofVerdict::proved) verdict = ProofVerdict::unknown;
    result.push_back({invariant.text, invariant.span, verdict});
    before = verdict;
  }
  return result;
}

}  // namespace quadrille::driver
