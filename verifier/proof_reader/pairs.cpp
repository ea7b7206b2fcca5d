// Example: of "for (l 1 (+ N -1)) (k 0 (+ N -1))" two different ones have l' > l and any k and k'; or l' = l and k' >
// k.
//
// Why these are all: let the two differ, and v be the first variable in which they do; exchange them if v is not larger
// in the second. What is shown of two packets must therefore not depend on their order.
#include "verifier/proof_reader/pairs.h"

#include <fmt/format.h>

namespace quadrille::proof_reader {

std::vector<Pair> pairs(const FamilyOfThings& first, const FamilyOfThings& second, bool same) {
  CoreSubstitution by;
  const CoreRanges other = renamed(second.variables, by);
  Pair any{"", first.variables, all_of({first.given, substituted(second.given, by)}), by};
  any.scope.insert(any.scope.end(), other.begin(), other.end());
  if (!same) return {any};
  std::vector<Pair> cases;
  std::vector<CoreExpression> before;
  for (const CoreRange& range : first.variables) {
    const CoreExpression here = variable(range.name);
    const CoreExpression there = by.at(range.name);
    Pair it = any;
    it.words = fmt::format("{} later", range.name);
    it.given = all_of({any.given, all_of(before), less(here, there)});
    cases.push_back(std::move(it));
    before.push_back(equal(here, there));
  }
  return cases;
}

}  // namespace quadrille::proof_reader
