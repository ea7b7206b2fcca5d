// Refutations, brought home: the size, the values, and what the checker says there.
#include <algorithm>

#include "verifier/prover/prover.h"
#include "verifier/prover/sampling.h"

namespace quadrille::prover {
namespace {

constexpr int largest_checked = 512;  // processors of a size at which a counterexample is checked

void leave_open(ProvedObligation& result, Reason reason, const char* why) {
  result.verdict = ProofVerdict::unknown;
  result.reason = reason;
  result.why = why;
}

}  // namespace

void Prover::refute(const Obligation& obligation, const Decision& decision, ProvedObligation& result) {
  if (!is_counterexample(obligation, decision.counterexample)) {
    leave_open(result, Reason::internal, "a fault of the prover: Z3's counterexample is none");
    return;
  }
  Counterexample found = concretized(decision.counterexample);
  // On a ring the obligations take every way for a single hop; that it is one is an obligation of its own.
  const bool ring = unfolder_->problem().machine.kind == Machine::Kind::ring;
  const bool confirmed = found.confirmed.value_or(false);
  if (!tell(obligation, decision.counterexample, found) && !(ring && confirmed)) {
    if (ring) {
      leave_open(result, Reason::unsupported, "this way to show it fails, as packets go further than to a neighbour");
    } else {
      leave_open(result, Reason::internal, "a fault of the prover: the packets concerned do no such thing");
    }
    return;
  }
  if (!confirmed) weigh(obligation, found, result);
  result.counterexample = std::move(found);
}

// With values for what is not in the obligation.
Assignment Prover::completed(Assignment values) const {
  for (const Atom parameter : open_parameters(unfolder_->problem())) {
    if (values.count(parameter) == 0) values[parameter] = evaluate(*parameter->first, values);
  }
  for (const Clock& clock : unfolder_->problem().clocks) {
    if (clock.length) values.emplace(*clock.length, 0);
  }
  return values;
}

// Says what happens, if that is known; false if it does not happen.
bool Prover::tell(const Obligation& obligation, const Assignment& values, Counterexample& found) const {
  if (!obligation.explanation) return true;
  const auto text = obligation.explanation(completed(values));
  if (!text) return !obligation.exact;
  if (measures_right(obligation)) found.text = *text;
  return true;
}

Counterexample Prover::concretized(const Assignment& values) {
  Counterexample found;
  const Assignment size = completed(values);
  found.arguments = at_size(size);
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
         concretized(decision.counterexample).confirmed.value_or(false);
}

bool Prover::is_counterexample(const Obligation& obligation, const Assignment& values) const {
  for (const auto& [atom, value] : values) {
    if (atom->first && value < evaluate(*atom->first, values)) return false;
    if (atom->last && value > evaluate(*atom->last, values)) return false;
  }
  return evaluate(obligation.given, values) && !evaluate(obligation.must, values);
}

// Whether all that it builds on is proved.
bool Prover::grounded(const Obligation& obligation) const {
  return std::all_of(obligations_.begin(), obligations_.end(), [&](const Obligation& other) {
    const bool ground = !other.exact && other.property == obligation.property && other.group == obligation.group;
    return !ground || decision_of(other).verdict == ProofVerdict::proved;
  });
}

// Counts and times are right only if what they build on is.
bool Prover::measures_right(const Obligation& obligation) const {
  const bool measured = obligation.property == ProvedProperty::claims ||
                        (obligation.property == ProvedProperty::complete && obligation.exact);
  return !measured || grounded(obligation);
}

// The checker has not confirmed it.
void Prover::weigh(const Obligation& obligation, const Counterexample& found, ProvedObligation& result) const {
  if (found.confirmed) {
    if (obligation.exact && measures_right(obligation)) {
      leave_open(result, Reason::internal, "a fault of the prover: the checker finds nothing wrong at that size");
    } else {
      leave_open(result, Reason::unsupported,
                 "this way to show it fails, but the checker finds nothing wrong at that size");
    }
    return;
  }
  if (obligation.exact && grounded(obligation)) return;
  leave_open(result, Reason::unsupported, "this way to show it fails at a size that is too large to check");
}

}  // namespace quadrille::prover
