// Proves a schedule for every choice of its capacity patterns (constant or exponential), one after another. If a
// proof for constant capacities does not depend on capacities, it holds for all, and the other choices need no proof.
//
//   two patterns: four choices, unless the proof of the first, constant and constant, covers all
#include "verifier/prove.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "compiler/ir.h"
#include "verifier/prover/pipeline.h"
#include "verifier/prover/solver/decide.h"

namespace quadrille {
namespace {

constexpr std::size_t most_patterns = 4;

// Adds a proof for more values of the pattern parameters.
void add(Proof& whole, Proof proof) {
  if (whole.parameters.empty()) whole.parameters = std::move(proof.parameters);  // a failed proof names none
  if (whole.machine.empty()) {
    whole.machine = proof.machine;
  } else if (whole.machine.find(proof.machine) == std::string::npos) {
    whole.machine += "; " + proof.machine;
  }
  whole.all_listed = whole.all_listed && proof.all_listed;
  whole.obligations.insert(whole.obligations.end(), proof.obligations.begin(), proof.obligations.end());
  // A fault of the prover is more important than something that it does not support.
  const bool fault = proof.reason == Reason::internal && whole.reason != Reason::internal;  // is told first
  if (whole.why.empty() || fault) {
    whole.why = proof.why;
    whole.why_span = proof.why_span;
  }
  whole.reason = prover::more_telling(whole.reason, proof.reason);
  const auto either = [&](ProofVerdict v) { return whole.verdict == v || proof.verdict == v; };
  whole.verdict = either(ProofVerdict::refuted)   ? ProofVerdict::refuted
                  : either(ProofVerdict::unknown) ? ProofVerdict::unknown
                                                  : ProofVerdict::proved;
}

// All combinations of the names with the two values.
std::vector<Arguments> combinations(const std::vector<std::string>& names) {
  std::vector<Arguments> result = {{}};
  for (const std::string& name : names) {
    std::vector<Arguments> longer;
    for (const Arguments& words : result) {
      for (const char* word : {"constant", "exponential"}) {
        longer.push_back(words);
        longer.back()[name] = word;
      }
    }
    result = std::move(longer);
  }
  return result;
}

// "capacity=constant"
std::string in_text(const Arguments& words) {
  std::vector<std::string> each;
  for (const auto& [name, word] : words) each.push_back(fmt::format("{}={}", name, word));
  return fmt::format("{}", fmt::join(each, ", "));
}

void name_values(Proof& proof, const std::vector<std::string>& patterns, const std::string& values) {
  for (ProvedParameter& parameter : proof.parameters) {
    const bool pattern = std::ranges::find(patterns, parameter.name) != patterns.end();
    if (pattern) parameter.values = values;
  }
}

// Whether something is refuted, and the checker confirms it.
bool confirmed(const Proof& proof) {
  return std::ranges::any_of(proof.obligations, [](const ProvedObligation& obligation) {
    return obligation.verdict == ProofVerdict::refuted && obligation.counterexample->confirmed.value_or(false);
  });
}

}  // namespace

std::string_view to_string(ProofVerdict verdict) {
  constexpr std::array<std::string_view, 3> words = {"proved", "refuted", "unknown"};
  return words[static_cast<std::size_t>(verdict)];
}

std::string_view to_string(ProvedProperty property) {
  constexpr std::array<std::string_view, 9> words = {"well_formed", "contention_free", "capacity",
                                                     "causal",      "queue",           "complete",
                                                     "claims",      "invariants",      "small_sizes"};
  return words[static_cast<std::size_t>(property)];
}

std::string to_string(UsedTheory theory) {
  switch (theory.theory) {
    case Theory::none:
      return "";
    case Theory::construction:
      return "by construction";
    case Theory::algebra:
      return "algebra";
    case Theory::integers:
      return theory.by_cases ? "integers by cases" : "integers";
    case Theory::power_axioms:
      return "power-of-two axioms";
    case Theory::bit_vectors:
      return fmt::format("bit-vectors of {} bits{}", theory.bits, theory.by_cases ? " by cases" : "");
    case Theory::checker:
      return "explicit checker";
  }
  return "";
}

bool refuted_by_checker_alone(const Proof& proof) {
  const bool others = std::ranges::any_of(proof.obligations, [](const ProvedObligation& obligation) {
    return obligation.verdict == ProofVerdict::refuted && obligation.property != ProvedProperty::holds_at_small_sizes;
  });
  return proof.verdict == ProofVerdict::refuted && !others;
}

Proof prove(const ir::Schedule& schedule, const ProveOptions& options) {
  std::vector<std::string> patterns;  // those without a value
  for (const ir::Parameter& parameter : schedule.parameters) {
    const bool given = options.arguments.count(parameter.name) > 0;
    const bool of_capacities = parameter.pattern && !parameter.set && !parameter.list;
    if (of_capacities && !parameter.idle && !given) patterns.push_back(parameter.name);
  }
  Proof whole;
  whole.verdict = ProofVerdict::proved;
  whole.all_listed = patterns.size() <= most_patterns;
  if (patterns.size() > most_patterns) {
    whole.verdict = ProofVerdict::unknown;
    whole.reason = Reason::unsupported;
    whole.why = fmt::format("more than {} patterns of capacities", most_patterns);
    whole.why_span = schedule.fabric.span;
    return whole;
  }
  prover::limit_memory(options.limits.memory);
  Watch watch(options.limits, Watch::AfterTooMuch::stays_over);
  std::size_t tried = 0;
  const std::vector<Arguments> all = combinations(patterns);
  // Makes one proof for each choice; the first may turn out to cover all.
  for (const Arguments& words : all) {
    auto arguments = options.arguments;
    arguments.insert(words.begin(), words.end());
    // The first choice is constant capacities: a schedule that is right on these is right on any.
    const bool constant = ++tried == 1;
    prover::PatternProof one =
        prover::prove_pattern(schedule, options, watch, arguments, constant ? all : std::vector<Arguments>());
    if (patterns.empty()) return std::move(one.proof);
    if (constant && one.for_any_capacity) {
      name_values(one.proof, patterns, "any");
      return std::move(one.proof);
    }
    for (ProvedObligation& obligation : one.proof.obligations) obligation.where = in_text(words);
    const bool enough = options.until_refuted && confirmed(one.proof);
    add(whole, std::move(one.proof));
    if (enough && tried < all.size()) whole.all_listed = false;
    if (enough) break;
  }
  if (tried > 1) name_values(whole, patterns, "constant or exponential");
  return whole;
}

}  // namespace quadrille
