// Each axiom is an instance, for terms that occur, of one of
//
//   2^e >= e + 1             for e >= 0; 2^0 = 1
//   2^f >= 2 · 2^e           for f > e >= 0; both are the same for f = e + 1
//   2^(b-1) <= x < 2^b       for x >= 1, which has b digits, b >= 1; 0 has none
//   y has as many digits as x, or more, for y >= x >= 0
//
// More is possible with these than in truth; so what they make impossible is impossible.
//
// Cost: quadratic in the number of terms, of 60 at most.
#include "verifier/proof_reader/power_axioms.h"

#include <algorithm>

#include "verifier/proof_reader/items.h"

namespace quadrille::proof_reader {
namespace {

constexpr std::size_t most_terms = 60;

CoreExpression power(const CoreExpression& e) { return {Op::power, {e}}; }
CoreExpression implied(const CoreExpression& condition, const CoreExpression& then) {
  return any_of({negated(condition), then});
}

void add(const CoreExpression& x, std::vector<CoreExpression>& all) {
  const std::string text = smt(x);
  const auto same = [&](const CoreExpression& each) { return smt(each) == text; };
  if (std::none_of(all.begin(), all.end(), same)) all.push_back(x);
  if (all.size() > most_terms) throw Refused{{}, "more than 60 different powers of two in one formula"};
}

void of_two_powers(const CoreExpression& e, const CoreExpression& f, std::vector<CoreExpression>& axioms) {
  const CoreExpression twice = CoreExpression(2) * power(e);
  axioms.push_back(implied(all_of({at_most(0, e), less(e, f)}), at_most(twice, power(f))));
  axioms.push_back(implied(all_of({at_most(0, e), equal(f, e + 1)}), equal(power(f), twice)));
}

}  // namespace

void collect_terms(const CoreExpression& x, Terms& terms) {
  if (x.op() == Op::power) add(x.operands()[0], terms.exponents);
  if (x.op() == Op::digits) add(x.operands()[0], terms.numbers);
  for (const CoreExpression& each : x.operands()) collect_terms(each, terms);
}

std::vector<CoreExpression> axioms_of(const Terms& terms) {
  std::vector<CoreExpression> axioms;
  std::vector<CoreExpression> exponents = terms.exponents;
  for (const CoreExpression& x : terms.numbers) {
    const CoreExpression b(Op::digits, {x});
    add(b, exponents);
    add(b - 1, exponents);
    axioms.push_back(implied(equal(x, 0), equal(b, 0)));
    axioms.push_back(implied(at_most(1, x), all_of({at_most(1, b), at_most(power(b - 1), x), less(x, power(b))})));
    for (const CoreExpression& y : terms.numbers)
      axioms.push_back(implied(all_of({at_most(0, x), at_most(x, y)}), at_most(b, CoreExpression(Op::digits, {y}))));
  }
  for (const CoreExpression& e : exponents) {
    axioms.push_back(implied(at_most(0, e), at_most(e + 1, power(e))));
    axioms.push_back(implied(equal(e, 0), equal(power(e), 1)));
    for (const CoreExpression& f : exponents) of_two_powers(e, f, axioms);
  }
  return axioms;
}

}  // namespace quadrille::proof_reader
