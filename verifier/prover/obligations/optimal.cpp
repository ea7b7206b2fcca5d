// Takes the first of all lower bounds that meets the claim, and whose premises hold, at all small sizes and some
// larger ones. This is a guess; it becomes a proof when its obligations are proved, for all sizes.
//
// Example: all-gather on a complete graph with single ports, volume N - 1. "N - 1 packets must come to processor 0, 1
// at a time" meets the claim at N = 2, 3, …. Its obligations say that there is a packet from every k in 1..N-1, and
// that N - 2 < N - 1.
//
// Cost: for each argument, the evaluation of its formulas at some thirty sizes, with up to 3000 values for a size.
#include "verifier/prover/obligations/optimal.h"

#include <fmt/format.h>

#include <algorithm>

#include "verifier/prover/algebra/unsupported.h"
#include "verifier/prover/problem/sampling.h"

namespace quadrille::prover {
namespace {

constexpr std::size_t values_of_a_size = 3000;  // of an obligation's variables, of a size
constexpr int farther[] = {9, 26, 61};          // sizes so far from the least, too

// The sizes at which the claim is tried: small ones, and a few larger ones, one parameter after another.
std::vector<Assignment> sizes_tried(const Problem& problem, Formula when) {
  const std::vector<Atom> parameters = open_parameters(problem);
  std::vector<Assignment> result = small_sizes(problem, when);
  if (result.empty()) return result;
  const Assignment least = result.front();
  for (const Atom parameter : parameters) {
    for (const int more : farther) {
      Assignment size = least;
      size[parameter] += more;
      const bool in_ranges = std::all_of(parameters.begin(), parameters.end(), [&](Atom each) {
        const bool above = !each->first || evaluate(*each->first, size) <= size.at(each);
        return above && (!each->last || size.at(each) <= evaluate(*each->last, size));
      });
      if (in_ranges && evaluate(when, size) && evaluate(problem.sizes, size)) result.push_back(std::move(size));
    }
  }
  return result;
}

// Whether the obligation holds at the size, for the first values of its variables.
bool holds_at(const Obligation& obligation, Assignment values) {
  std::size_t tried = 0;
  bool holds = true;
  for_each_value(obligation.scope, values, [&] {
    holds = !evaluate(obligation.given, values) || evaluate(obligation.must, values);
    return holds && ++tried < values_of_a_size;
  });
  return holds;
}

bool fits(const LowerBound& bound, const std::vector<Assignment>& sizes, Interrupter& interrupter) {
  // The last obligation, that the bound meets the claim, is the most likely to fail.
  return std::all_of(bound.obligations.rbegin(), bound.obligations.rend(), [&](const Obligation& obligation) {
    interrupter.throw_if_reached();
    return std::all_of(sizes.begin(), sizes.end(), [&](const Assignment& size) { return holds_at(obligation, size); });
  });
}

}  // namespace

std::vector<Obligation> write_optimal(Algebra& algebra, const Problem& problem, const LeastClaim& claim,
                                      Interrupter& interrupter) {
  const std::vector<Assignment> sizes = sizes_tried(problem, claim.when);
  if (sizes.empty()) throw Unsupported{"a lower bound, for want of small sizes to guess it from", {}};
  for (LowerBound& bound : lower_bounds(algebra, problem, claim)) {
    if (fits(bound, sizes, interrupter)) return std::move(bound.obligations);
  }
  throw Unsupported{fmt::format("that nothing takes less than {}: no lower bound that is known here says so",
                                to_string(claim.claimed)),
                    {}};
}

}  // namespace quadrille::prover
