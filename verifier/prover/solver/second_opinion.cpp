// Compares the prover's verdict with the checker's where that is cheap, at the smallest sizes. So a fault of the
// prover, or of a topology's statements about itself, is found where it shows early; and a schedule that the prover
// does not understand may still be refuted.
//
// Example: sends at times that the compiler chooses are unknown to the prover; at L = 1 the checker refuses them.
//
// Cost: up to `most_asked` runs of the checker with `largest_asked` processors.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "verifier/prover/problem/problem.h"
#include "verifier/prover/solver/decide.h"

namespace quadrille::prover {
namespace {

constexpr int largest_asked = 32;        // processors of a size that the checker is asked about
constexpr std::size_t most_asked = 12;   // of such sizes
constexpr std::size_t most_unknown = 4;  // of sizes of which it is not known how many processors they have

// The extent of a size: its processors; or the sum of its values, if these are not known. Nothing if it is too large.
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
std::string in_words(const Arguments& arguments) {
  std::vector<std::string> words;
  for (const auto& [name, value] : arguments) words.push_back(fmt::format("{}={}", name, value));
  return fmt::format("{}", fmt::join(words, " "));
}

// The smallest sizes, in increasing order.
std::vector<Assignment> smallest_sizes(const Problem& problem, Formula always) {
  std::vector<std::pair<Integer, Assignment>> sizes;
  for (const Assignment& size : small_sizes(problem, always)) {
    if (const auto how_large = extent(problem.processors, size)) sizes.emplace_back(*how_large, size);
  }
  std::stable_sort(sizes.begin(), sizes.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const std::size_t most = problem.processors == Number(0) ? most_unknown : most_asked;
  std::vector<Assignment> result;
  for (std::size_t i = 0; i < std::min(most, sizes.size()); ++i) result.push_back(sizes[i].second);
  return result;
}

Proof with_failure(Proof proof, Failure failure) {
  proof.verdict = ProofVerdict::unknown;
  proof.all_listed = false;
  proof.reason = failure.reason;
  proof.why = std::move(failure.why);
  proof.why_span = {};
  return proof;
}

ProvedObligation refuted_at(Arguments size, Span span) {
  ProvedObligation found;
  found.property = ProvedProperty::holds_at_small_sizes;
  found.name = "small sizes";
  found.meaning = "the checker accepts the smallest sizes";
  found.theory = {Theory::checker};
  found.verdict = ProofVerdict::refuted;
  found.span = span;
  found.counterexample = Counterexample{std::move(size), {}, "", true};
  return found;
}

// The smallest size that the checker refuses. Nothing if it refuses none, or (unless `all`) if the limits are reached
// before.
std::optional<Arguments> refused_size(const Algebra& algebra, const Subject& subject,
                                      const std::vector<Arguments>& patterns, bool all, Watch& watch) {
  for (const Assignment& size : smallest_sizes(subject.problem, algebra.truth(true))) {
    for (const Arguments& words : patterns) {
      if (!all && watch.reached() != Reason::none) return std::nullopt;
      Arguments arguments = subject.at(size);
      for (const auto& [name, word] : words) arguments[name] = word;
      if (!subject.checked.hold(arguments).value_or(true)) return arguments;
    }
  }
  return std::nullopt;
}

}  // namespace

Proof with_second_opinion(Proof proof, const Algebra& algebra, const Subject& subject,
                          const std::vector<Arguments>& patterns, Watch& watch) {
  if (proof.verdict == ProofVerdict::refuted) return proof;
  const bool proved = proof.verdict == ProofVerdict::proved;
  std::optional<Arguments> refused;
  try {
    refused = refused_size(algebra, subject, patterns, proved, watch);
  } catch (const std::exception& problem) {
    return with_failure(std::move(proof), failure_of(problem));
  }
  if (!refused) return proof;
  // A proof that the checker contradicts is a fault of the prover, never a refutation of the schedule.
  if (proved) {
    const std::logic_error fault(fmt::format("the checker refuses {}", in_words(*refused)));
    return with_failure(std::move(proof), failure_of(fault));
  }
  proof.verdict = ProofVerdict::refuted;
  proof.obligations.push_back(refuted_at(std::move(*refused), subject.problem.schedule->collective.span));
  return proof;
}

}  // namespace quadrille::prover
