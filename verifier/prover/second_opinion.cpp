// What the explicit checker says of the smallest sizes, whatever was proved or not.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "verifier/prover/prover.h"
#include "verifier/prover/sampling.h"

namespace quadrille::prover {
namespace {

constexpr int largest_asked = 32;        // processors of a size that the checker is asked about
constexpr std::size_t most_asked = 12;   // of such sizes
constexpr std::size_t most_unknown = 4;  // of sizes of which it is not known how many processors they have

// How large it is: its processors; or its values together, if these are not known. Nothing if it is too large.
std::optional<Integer> extent(const Number& processors, const Assignment& size) {
  if (processors == Number(0)) {
    Integer together = 0;
    for (const auto& [parameter, value] : size) together += value;
    return together;
  }
  try {
    const Integer number = evaluate(processors, size);
    return number > largest_asked ? std::nullopt : std::optional(number);
  } catch (const std::overflow_error&) {
    return std::nullopt;
  }
}

// "L=3 capacity=constant"
std::string in_words(const std::map<std::string, std::string>& arguments) {
  std::vector<std::string> words;
  for (const auto& [name, value] : arguments) words.push_back(fmt::format("{}={}", name, value));
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace

Prover::Arguments Prover::at_size(const Assignment& size) const {
  Arguments arguments = arguments_;
  for (const Parameter& parameter : unfolder_->problem().parameters) {
    if (parameter.variable) arguments[parameter.name] = size.at(*parameter.variable).str();
  }
  return arguments;
}

// Smallest first.
std::vector<Assignment> Prover::smallest_sizes() const {
  const Problem& problem = unfolder_->problem();
  std::vector<std::pair<Integer, Assignment>> sizes;
  for (const Assignment& size : small_values(open_parameters(problem), algebra_.truth(true))) {
    if (const auto how_large = extent(problem.processors, size)) sizes.emplace_back(*how_large, size);
  }
  std::stable_sort(sizes.begin(), sizes.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const std::size_t most = problem.processors == Number(0) ? most_unknown : most_asked;
  std::vector<Assignment> result;
  for (std::size_t i = 0; i < std::min(most, sizes.size()); ++i) result.push_back(sizes[i].second);
  return result;
}

// `all`: also if the prover is to stop.
std::optional<Prover::Arguments> Prover::refused_size(const std::vector<Arguments>& patterns, bool all) {
  for (const Assignment& size : smallest_sizes()) {
    for (const Arguments& words : patterns) {
      if (!all && watch_.reached() != Reason::none) return std::nullopt;
      Arguments arguments = at_size(size);
      for (const auto& [name, word] : words) arguments[name] = word;
      if (!held(arguments).value_or(true)) return arguments;
    }
  }
  return std::nullopt;
}

void Prover::ask_checker(const std::vector<Arguments>& patterns, Proof& proof) {
  if (proof.verdict == ProofVerdict::refuted || !unfolder_)
    return;  // without one, the parameters' ranges are not known
  const bool proved = proof.verdict == ProofVerdict::proved;
  std::optional<Arguments> refused;
  std::string fault;
  try {
    refused = refused_size(patterns, proved);
    if (refused && proved) fault = fmt::format("the checker refuses {}", in_words(*refused));
  } catch (const std::exception& problem) {
    fault = problem.what();
  }
  if (!fault.empty()) {
    proof.verdict = ProofVerdict::unknown;
    proof.reason = Reason::internal;
    proof.why = "a fault of the prover: " + fault;
    proof.why_span = {};
    return;
  }
  if (!refused) return;
  ProvedObligation found;
  found.property = ProvedProperty::holds_at_small_sizes;
  found.name = "small sizes";
  found.meaning = "the checker accepts the smallest sizes";
  found.theory = {Theory::checker};
  found.verdict = ProofVerdict::refuted;
  found.span = schedule_.collective.span;
  found.counterexample = Counterexample{std::move(*refused), {}, "", true};
  proof.verdict = ProofVerdict::refuted;
  proof.obligations.push_back(std::move(found));
}

}  // namespace quadrille::prover
