// A theorem covers only what every obligation was proved for. A schedule whose claims are not all proved is still
// correct, and the unproved claims are reported.
//
//   claims "rounds == N - 1", "volume == N - 1": ring is correct for every N >= 2, in N - 1 rounds of volume N - 1
#include "driver/prove/theorem.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "compiler/ir.h"
#include "driver/prove/prove_summary.h"

namespace quadrille::driver {
namespace {

using ir::Builtin;

bool is_pattern(const std::string& name, const ir::Schedule& schedule) {
  return std::any_of(schedule.parameters.begin(), schedule.parameters.end(),
                     [&](const ir::Parameter& parameter) { return parameter.name == name && parameter.pattern; });
}

bool is_one_number(const std::string& values) { return values.find_first_not_of("-0123456789") == std::string::npos; }

// --- claims ----------------------------------------------------------------------------------------------------------

// Whether all obligations of the claim are proved, and some of them are not vacuous.
bool is_told(const ir::Claim& claim, const Proof& proof) {
  bool itself = false;
  bool proved = true;
  bool of_something = false;
  for (const ProvedObligation& obligation : proof.obligations) {
    if (obligation.property != ProvedProperty::claims || obligation.claim != claim.text) continue;
    proved = proved && obligation.verdict == ProofVerdict::proved;
    if (obligation.name != claim.text) continue;
    itself = true;
    of_something = of_something || !obligation.vacuous.value_or(false);
  }
  return itself && proved && of_something;
}

// The measure that `steps == …` is about, if the other side is no measure, too.
std::optional<Builtin> measured(const ir::Claim& claim) {
  const auto* comparison = std::get_if<ir::Binary>(&claim.claim.node);
  if (claim.when || comparison == nullptr || comparison->op != ir::BinaryOperator::equal) return std::nullopt;
  const auto* measure = std::get_if<ir::BuiltinCall>(&comparison->left->node);
  static constexpr std::array measures = {Builtin::steps, Builtin::rounds,    Builtin::volume,     Builtin::hops,
                                          Builtin::rows,  Builtin::max_queue, Builtin::max_buffer, Builtin::messages};
  const auto is_measure = [](Builtin which) {
    return std::find(measures.begin(), measures.end(), which) != measures.end();
  };
  const bool more = ir::any_part(*comparison->right, [&](const ir::Expression& part) {
    const auto* call = std::get_if<ir::BuiltinCall>(&part.node);
    return call != nullptr && is_measure(call->builtin);
  });
  if (measure == nullptr || more || !is_measure(measure->builtin)) return std::nullopt;
  return measure->builtin;
}

// "1 round", "N - 1 rounds".
std::string counted_in(const std::string& number, const char* unit) {
  return fmt::format("{} {}{}", number, unit, number == "1" ? "" : "s");
}

// ", in N - 1 rounds of volume N - 1; messages == N*(N - 1)".
std::string measures_text(const Proof& proof, const ir::Schedule& schedule) {
  std::map<Builtin, std::string> measures;
  std::vector<std::string> others;
  for (const ir::Claim& claim : schedule.claims) {
    if (claim.optimal || !is_told(claim, proof)) continue;
    const auto which = measured(claim);
    static constexpr std::array plainly = {Builtin::steps, Builtin::rounds, Builtin::volume, Builtin::hops};
    const bool plain = which && std::find(plainly.begin(), plainly.end(), *which) != plainly.end();
    if (!plain || !measures.emplace(*which, claim.sides[1]).second) others.push_back(claim.text);
  }
  std::string text;
  const auto add = [&](Builtin which, const char* unit) {
    if (const auto held = measures.find(which); held != measures.end())
      text += (text.empty() ? ", in " : " and ") + counted_in(held->second, unit);
  };
  add(Builtin::steps, "step");
  add(Builtin::rounds, "round");
  if (const auto held = measures.find(Builtin::volume); held != measures.end())
    text += fmt::format("{}of volume {}", text.empty() ? ", " : " ", held->second);
  add(Builtin::hops, "hop");
  for (const std::string& other : others) text += "; " + other;
  return text;
}

// ", and no schedule on a ring of N processors takes fewer rounds or has less volume".
std::string optimal_text(const Proof& proof, const ir::Schedule& schedule) {
  std::vector<std::string> always;
  std::string conditional;
  for (const ir::Claim& claim : schedule.claims) {
    if (!claim.optimal || !is_told(claim, proof)) continue;
    const char* words = *claim.optimal == OptimalMeasure::steps    ? "takes fewer steps"
                        : *claim.optimal == OptimalMeasure::rounds ? "takes fewer rounds"
                                                                   : "has less volume";
    if (claim.when) {
      conditional += fmt::format("; {} of all on that fabric", claim.text);
    } else {
      always.emplace_back(words);
    }
  }
  if (always.empty()) return conditional;
  return fmt::format(", and no schedule on a {} {}{}", proof.machine, fmt::join(always, " or "), conditional);
}

}  // namespace

std::string in_words(const ProvedParameter& parameter, const ir::Schedule& schedule) {
  const std::string& values = parameter.values;
  if (is_pattern(parameter.name, schedule)) return fmt::format("{} {}", parameter.name, values);
  if (is_one_number(values)) return fmt::format("{} = {}", parameter.name, values);
  if (values.ends_with("..")) return fmt::format("{} >= {}", parameter.name, values.substr(0, values.size() - 2));
  return fmt::format("{} in {}", parameter.name, values);
}

std::optional<Theorem> theorem_of(const Proof& proof, const ir::Schedule& schedule) {
  if (proof.verdict == ProofVerdict::refuted) return std::nullopt;
  for (const ProvedProperty property : proved_properties) {
    const bool needed = property != ProvedProperty::claims;
    if (needed && verdict_of(property, proof) != ProofVerdict::proved) return std::nullopt;
  }
  std::vector<std::string> ranges;
  bool every = false;
  for (const ProvedParameter& parameter : proof.parameters) {
    ranges.push_back(in_words(parameter, schedule));
    every = every || !(is_one_number(parameter.values) || is_pattern(parameter.name, schedule));
  }
  Theorem theorem{fmt::format("{}", fmt::join(ranges, ", ")), schedule.name + " is correct"};
  if (!ranges.empty()) theorem.text += fmt::format(" for {}{}", every ? "every " : "", theorem.domain);
  theorem.text += measures_text(proof, schedule) + optimal_text(proof, schedule);
  for (const ir::Claim& claim : schedule.claims) {
    if (claim.optimal && is_told(claim, proof)) theorem.optimal.push_back(claim.text.substr(8));
  }
  return theorem;
}

}  // namespace quadrille::driver
