// Sums in closed form, as the second reader takes them: for each range, the growth of the sum with its variable.
//
// Example: for "for (d 1 (+ N -1)) (k 0 (+ N -1))" the sum over k of 1, up to k, is k + 1; the sum over d of N is N
// d.
//
// Cost: two sums in closed form (sums.h) for each range.
#include <fmt/format.h>

#include "verifier/prover/algebra/sums.h"
#include "verifier/prover/written/proof_instances.h"

namespace quadrille::prover {

ClosedSums sums(const Instances& with, const std::vector<Atom>& variables, Span span) {
  std::string text;
  Number each(1);
  for (std::size_t i = variables.size(); i-- > 0;) {
    const Atom variable = variables[i];
    const auto grown = closed_sum(with.algebra, each, variable, *variable->first, Number(variable));
    const auto whole = closed_sum(with.algebra, each, variable, *variable->first, *variable->last);
    if (!grown || !whole) throw Unsupported{"counting what these loops deliver", span};
    text += fmt::format(" (sum {})", with.text.number(*grown));
    each = *whole;
  }
  return {text, each};
}

}  // namespace quadrille::prover
