// Sums in closed form. A proof gives a function A of the range's variable v (of what is outside, too) that grows by
// x(v) from v - 1 to v, for each v of the range first … last; then the sum of x is A(last) - A(first - 1), by induction
// on last, if that is first - 1 or more.
//
// Example: the sum of N - 1 over k in 0..N-1 is N (N - 1), by A = k (N - 1).
//
// Cost: two leaves for each range.
#include <fmt/format.h>

#include "verifier/proof_reader/rules.h"

namespace quadrille::proof_reader {

CoreExpression summed(const CoreExpression& each, const CoreRange& range, const ProofItem& sum, const CoreRanges& scope,
                      const CoreExpression& given, const std::string& name, const ProofSubject& subject,
                      Leaves& leaves) {
  if (head(sum) != "sum") throw Refused{sum.span, "`sum` is expected here"};
  expect_size(sum, 2, 2);
  Names names = names_of(scope, names_of(subject.core.parameters));
  names.insert(range.name);
  const CoreExpression closed = read_number(sum.items[1], names);
  const auto at = [&](const CoreExpression& value) { return substituted(closed, {{range.name, value}}); };
  const CoreExpression here = variable(range.name);
  leaves.push_back({fmt::format("{}, the sum over {} grows by what is summed", name, range.name),
                    joined({scope, {range}}), given, equal(closed - at(here - 1), each)});
  leaves.push_back({fmt::format("{}, the range of {} is not less than empty", name, range.name), scope, given,
                    at_most(range.first, *range.last + 1)});
  return at(*range.last) - at(range.first - 1);
}

CoreExpression number_of(const ProofSubject& subject, const CoreRanges& ranges, const ProofItem& list,
                         const CoreRanges& scope, const CoreExpression& given, const std::string& name,
                         Leaves& leaves) {
  expect_size(list, 1 + ranges.size(), 1 + ranges.size());
  CoreExpression total = 1;
  for (std::size_t i = ranges.size(); i-- > 0;) {
    const CoreRanges before(ranges.begin(), ranges.begin() + static_cast<std::ptrdiff_t>(i));
    const CoreRanges outside = joined({scope, before});
    total = summed(total, ranges[i], list.items[ranges.size() - i], outside, given, name, subject, leaves);
  }
  return total;
}

}  // namespace quadrille::proof_reader
