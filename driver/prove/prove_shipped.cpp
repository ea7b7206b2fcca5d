// Each schedule is opened by its name and proved as `prove NAME` would.
#include "driver/prove/prove_shipped.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "driver/inputs/input.h"
#include "driver/prove/prove.h"
#include "dsl/load.h"

namespace quadrille::driver {
namespace {

// The hardest proof takes a fifteenth of default_effort. So schedules that stay unknown do not delay the others as
// long.
constexpr std::uint32_t part_of_effort = 8;

std::string reason_of(const ProvedObligation& obligation) {
  const bool unsupported = obligation.reason == Reason::unsupported && !obligation.written;
  const std::string what =
      fmt::format("{}: {}", obligation.claim.empty() ? to_string(obligation.property) : obligation.claim,
                  unsupported ? "the prover cannot handle " + obligation.why : obligation.meaning);
  return unsupported || obligation.why.empty() ? what : fmt::format("{} ({})", what, obligation.why);
}

// Of each property, and each claim, that is refuted or else unknown, the first reason.
std::vector<std::string> reasons(const Proof& proof) {
  if (proof.verdict == ProofVerdict::proved) return {};
  if (proof.reason == Reason::internal) return {proof.why};
  std::vector<std::string> all;
  std::set<std::pair<ProvedProperty, std::string>> told;
  for (const ProofVerdict verdict : {ProofVerdict::refuted, ProofVerdict::unknown}) {
    for (const ProvedObligation& obligation : proof.obligations) {
      if (obligation.verdict == verdict && told.emplace(obligation.property, obligation.claim).second)
        all.push_back(reason_of(obligation));
    }
  }
  if (all.empty() && !proof.why.empty()) all.push_back("the prover cannot handle " + proof.why);
  if (all.empty()) all.emplace_back(to_string(proof.reason));
  return all;
}

ShippedProof proved(const std::string& name, Context& context) {
  const auto begin = context.environment.now();
  tell_stage(context, "proving " + name);
  ProveRequest request{name};
  request.effort = default_effort / part_of_effort;
  const auto outcome = run(request, context);
  ShippedProof result{name};
  result.seconds = std::chrono::duration<double>(context.environment.now() - begin).count();
  if (outcome) {
    result.verdict = outcome->proof.verdict;
    result.theorem = outcome->theorem;
    result.open = reasons(outcome->proof);
  } else {
    result.open = {outcome.diagnostics().front().message};
  }
  return result;
}

}  // namespace

std::size_t ProveShippedOutcome::with(ProofVerdict verdict) const {
  return static_cast<std::size_t>(
      std::count_if(proofs.begin(), proofs.end(), [&](const ShippedProof& each) { return each.verdict == verdict; }));
}

Result<ProveShippedOutcome> run(const ProveShippedRequest& request, Context& context) {
  ProveShippedOutcome outcome;
  outcome.told = static_cast<bool>(request.on_proof);
  outcome.of = shipped_schedules().size();
  for (const ShippedFile& shipped : shipped_schedules()) {
    ShippedProof proof = proved(std::string(shipped.name), context);
    const Reason reached = context.limits.reached();
    const bool over = reached == Reason::timeout || reached == Reason::cancelled;
    if (!over || proof.verdict != ProofVerdict::unknown) {
      outcome.proofs.push_back(std::move(proof));
      if (request.on_proof && !request.on_proof(outcome)) outcome.reason = Reason::cancelled;
    }
    if (over && !outcome.whole()) outcome.reason = reached;
    if (outcome.reason != Reason::none) break;
  }
  return outcome;
}

}  // namespace quadrille::driver
