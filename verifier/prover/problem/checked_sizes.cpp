// Remembers the checker's verdict on each size: several obligations ask about the same sizes, and a run is not cheap.
#include "verifier/prover/problem/checked_sizes.h"

namespace quadrille::prover {

std::optional<bool> CheckedSizes::hold(const Arguments& size) {
  if (!holds_at_) return std::nullopt;
  const std::lock_guard lock(mutex_);
  const auto [place, fresh] = known_.emplace(size, std::nullopt);
  if (fresh) place->second = holds_at_(size);
  return place->second;
}

Arguments Subject::at(const Assignment& size) const {
  Arguments result = arguments;
  for (const ProblemParameter& parameter : problem.parameters) {
    if (parameter.variable) result[parameter.name] = evaluate(parameter.value, size).str();
  }
  return result;
}

}  // namespace quadrille::prover
