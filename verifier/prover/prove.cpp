#include "verifier/prove.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "compiler/ir.h"
#include "verifier/prover/prover.h"

namespace quadrille {
namespace {

constexpr std::size_t most_patterns = 4;

// A proof for more values of the pattern parameters.
void add(Proof& whole, Proof proof) {
  if (whole.parameters.empty()) whole.parameters = std::move(proof.parameters);  // a failed proof names none
  if (whole.machine.empty()) {
    whole.machine = proof.machine;
  } else if (whole.machine.find(proof.machine) == std::string::npos) {
    whole.machine += "; " + proof.machine;
  }
  whole.obligations.insert(whole.obligations.end(), proof.obligations.begin(), proof.obligations.end());
  const bool fault = proof.beyond.starts_with("a fault") && !whole.beyond.starts_with("a fault");  // is told first
  if (whole.beyond.empty() || fault) {
    whole.beyond = proof.beyond;
    whole.beyond_span = proof.beyond_span;
  }
  const auto either = [&](ProofVerdict v) { return whole.verdict == v || proof.verdict == v; };
  whole.verdict = either(ProofVerdict::refuted)   ? ProofVerdict::refuted
                  : either(ProofVerdict::unknown) ? ProofVerdict::unknown
                                                  : ProofVerdict::proved;
}

using Words = std::map<std::string, std::string>;  // of pattern parameters

// Each of the names with each of the two words.
std::vector<Words> combinations(const std::vector<std::string>& names) {
  std::vector<Words> result = {{}};
  for (const std::string& name : names) {
    std::vector<Words> longer;
    for (const Words& words : result) {
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
std::string in_text(const Words& words) {
  std::vector<std::string> each;
  for (const auto& [name, word] : words) each.push_back(fmt::format("{}={}", name, word));
  return fmt::format("{}", fmt::join(each, ", "));
}

void name_values(Proof& proof, const std::vector<std::string>& patterns, const std::string& values) {
  for (ProvedParameter& parameter : proof.parameters) {
    const bool pattern = std::find(patterns.begin(), patterns.end(), parameter.name) != patterns.end();
    if (pattern) parameter.values = values;
  }
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

bool refuted_by_checker_alone(const Proof& proof) {
  const bool others =
      std::any_of(proof.obligations.begin(), proof.obligations.end(), [](const ProvedObligation& obligation) {
        return obligation.verdict == ProofVerdict::refuted && obligation.property != holds_at_small_sizes;
      });
  return proof.verdict == ProofVerdict::refuted && !others;
}

Proof prove(const ir::Schedule& schedule, const ProveOptions& options) {
  std::vector<std::string> patterns;  // those without a value
  for (const ir::Parameter& parameter : schedule.parameters) {
    const bool given = options.arguments.count(parameter.name) > 0;
    if (parameter.pattern && !parameter.idle && !given) patterns.push_back(parameter.name);
  }
  Proof whole;
  whole.verdict = ProofVerdict::proved;
  if (patterns.size() > most_patterns) {
    whole.verdict = ProofVerdict::unknown;
    whole.beyond = fmt::format("more than {} patterns of capacities", most_patterns);
    whole.beyond_span = schedule.fabric.span;
    return whole;
  }
  std::size_t tried = 0;
  const std::vector<Words> all = combinations(patterns);
  for (const Words& words : all) {
    auto arguments = options.arguments;
    arguments.insert(words.begin(), words.end());
    prover::Prover prover(schedule, options, arguments);
    Proof proof = prover.run();
    const bool any = ++tried == 1 && !prover.uses_capacities();  // constant capacities: right on these, right on any
    prover.ask_checker(any ? all : std::vector<Words>{words}, proof);
    if (patterns.empty()) return proof;
    if (any) {
      name_values(proof, patterns, "any");
      return proof;
    }
    for (ProvedObligation& obligation : proof.obligations) obligation.where = in_text(words);
    const bool enough = options.until_refuted && confirmed(proof);
    add(whole, std::move(proof));
    if (enough) break;
  }
  if (tried > 1) name_values(whole, patterns, "constant or exponential");
  return whole;
}

}  // namespace quadrille
