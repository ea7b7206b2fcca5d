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

Expression power(const Expression& e) { return {Op::power, {e}}; }
Expression implied(const Expression& condition, const Expression& then) { return any_of({negated(condition), then}); }

void add(const Expression& x, std::vector<Expression>& all) {
  const std::string text = smt(x);
  const auto same = [&](const Expression& each) { return smt(each) == text; };
  if (std::none_of(all.begin(), all.end(), same)) all.push_back(x);
  if (all.size() > most_terms) throw Refused{{}, "more than 60 different powers of two in one formula"};
}

void of_two_powers(const Expression& e, const Expression& f, std::vector<Expression>& axioms) {
  const Expression twice = Expression(2) * power(e);
  axioms.push_back(implied(all_of({at_most(0, e), less(e, f)}), at_most(twice, power(f))));
  axioms.push_back(implied(all_of({at_most(0, e), equal(f, e + 1)}), equal(power(f), twice)));
}

}  // namespace

void collect_terms(const Expression& x, Terms& terms) {
  if (x.op() == Op::power) add(x.operands()[0], terms.exponents);
  if (x.op() == Op::digits) add(x.operands()[0], terms.numbers);
  for (const Expression& each : x.operands()) collect_terms(each, terms);
}

std::vector<Expression> axioms_of(const Terms& terms) {
  std::vector<Expression> axioms;
  std::vector<Expression> exponents = terms.exponents;
  for (const Expression& x : terms.numbers) {
    const Expression b(Op::digits, {x});
    add(b, exponents);
    add(b - 1, exponents);
    axioms.push_back(implied(equal(x, 0), equal(b, 0)));
    axioms.push_back(implied(at_most(1, x), all_of({at_most(1, b), at_most(power(b - 1), x), less(x, power(b))})));
    for (const Expression& y : terms.numbers)
      axioms.push_back(implied(all_of({at_most(0, x), at_most(x, y)}), at_most(b, Expression(Op::digits, {y}))));
  }
  for (const Expression& e : exponents) {
    axioms.push_back(implied(at_most(0, e), at_most(e + 1, power(e))));
    axioms.push_back(implied(equal(e, 0), equal(power(e), 1)));
    for (const Expression& f : exponents) of_two_powers(e, f, axioms);
  }
  return axioms;
}

}  // namespace quadrille::proof_reader
