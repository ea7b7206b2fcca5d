// Refutations, brought home: the size, the values, and what the checker says there.
#include <algorithm>

#include "verifier/prover/prover.h"
#include "verifier/prover/sampling.h"

namespace quadrille::prover {
namespace {

constexpr int largest_checked = 512;  // processors of a size at which a counterexample is checked

}  // namespace

void Prover::refute(const Obligation& obligation, const Decision& decision, ProvedObligation& result) {
  if (!is_counterexample(obligation, decision.counterexample)) {
    result.verdict = ProofVerdict::unknown;
    result.reason = "a fault of the prover: Z3's counterexample is none";
    return;
  }
  Counterexample found = brought_home(decision.counterexample);
  if (!found.confirmed.value_or(false)) weigh(obligation, found, result);
  result.counterexample = std::move(found);
}

Counterexample Prover::brought_home(const Assignment& values) {
  Counterexample found;
  found.arguments = arguments_;
  Assignment size = values;
  for (const Parameter& parameter : unfolder_->problem().parameters) {
    if (!parameter.variable) continue;
    const Atom variable = *parameter.variable;
    if (size.count(variable) == 0) size[variable] = evaluate(*variable->first, size);  // it is not in the obligation
    found.arguments[parameter.name] = size.at(variable).str();
  }
  for (const auto& [atom, value] : values) {
    if (found.arguments.count(atom->name) == 0) found.values.emplace_back(atom->name, value.str());
  }
  if (evaluate(unfolder_->problem().processors, size) > largest_checked) return found;
  if (const auto right = held(found.arguments)) found.confirmed = !*right;
  return found;
}

std::optional<bool> Prover::held(const Arguments& size) {
  if (!options_.holds_at) return std::nullopt;
  const std::lock_guard lock(held_mutex_);
  const auto [place, fresh] = held_.emplace(size, std::nullopt);
  if (fresh) place->second = options_.holds_at(size);
  return place->second;
}

bool Prover::confirmed(const Obligation& obligation, const Decision& decision) {
  return decision.verdict == ProofVerdict::refuted && is_counterexample(obligation, decision.counterexample) &&
         brought_home(decision.counterexample).confirmed.value_or(false);
}

bool Prover::is_counterexample(const Obligation& obligation, const Assignment& values) const {
  for (const auto& [atom, value] : values) {
    if (atom->first && value < evaluate(*atom->first, values)) return false;
    if (atom->last && value > evaluate(*atom->last, values)) return false;
  }
  return evaluate(obligation.given, values) && !evaluate(obligation.must, values);
}

// The checker has not confirmed it.
void Prover::weigh(const Obligation& obligation, const Counterexample& found, ProvedObligation& result) const {
  if (found.confirmed) {
    result.verdict = ProofVerdict::unknown;
    result.reason = obligation.exact ? "a fault of the prover: the checker finds nothing wrong at that size"
                                     : "this way to show it fails, but the checker finds nothing wrong at that size";
    return;
  }
  const bool grounded = std::all_of(obligations_.begin(), obligations_.end(), [&](const Obligation& other) {
    const bool ground = !other.exact && other.property == obligation.property && other.group == obligation.group;
    return !ground || decision_of(other).verdict == ProofVerdict::proved;
  });
  if (obligation.exact && grounded) return;
  result.verdict = ProofVerdict::unknown;
  result.reason = "this way to show it fails at a size that is too large to check";
}

}  // namespace quadrille::prover
