// Each axiom is an instance, for terms that occur, of one of
//
//   2^e >= e + 1             for e >= 0; 2^0 = 1
//   2^f >= 2 · 2^e           for f > e >= 0; both are the same for f = e + 1
//   2^(b-1) <= x < 2^b       for x >= 1, which has b digits, b >= 1; 0 has none
//   y has as many digits as x, or more, for y >= x >= 0
//   1 <= p <= x for x >= 1, whose lowest digit is p; that of 0 is 0
//   z >= 0 for z = x xor y, x, y >= 0; x + y + z is even
//   z <= x + y; z = 0 for x = y; z < 2^e for x, y < 2^e; and so for any two of x, y, z and the third
//   z = z' for x = x', y = y', and so for any two of x, y, z that are two of x', y', z', and the third
//
// More is possible with these than in truth; so what they make impossible is impossible.
//
// Cost: quadratic in the number of terms, of 60 at most.
#include "verifier/proof_reader/power_axioms.h"

#include <algorithm>
#include <array>
#include <bit>

#include "verifier/proof_reader/items.h"

namespace quadrille::proof_reader {
namespace {

constexpr std::size_t most_terms = 60;
constexpr std::uint64_t most_power = std::uint64_t{1} << 62;

CoreExpression power(const CoreExpression& e) { return {Op::power, {e}}; }
CoreExpression implied(const CoreExpression& condition, const CoreExpression& then) {
  return any_of({negated(condition), then});
}

void add(const CoreExpression& x, std::vector<CoreExpression>& all) {
  const std::string text = smt(x);
  const auto same = [&](const CoreExpression& each) { return smt(each) == text; };
  if (std::none_of(all.begin(), all.end(), same)) all.push_back(x);
  if (all.size() > most_terms)
    throw Refused{{}, "more than 60 different powers of two, or differences of digits, in one formula"};
}

void of_two_powers(const CoreExpression& e, const CoreExpression& f, std::vector<CoreExpression>& axioms) {
  const CoreExpression twice = CoreExpression(2) * power(e);
  axioms.push_back(implied(all_of({at_most(0, e), less(e, f)}), at_most(twice, power(f))));
  axioms.push_back(implied(all_of({at_most(0, e), equal(f, e + 1)}), equal(power(f), twice)));
}

// Three numbers of which each is the other two's difference, digit by digit.
struct XorTriple {
  std::array<CoreExpression, 3> number;
  CoreExpression there;  // whether there is such a difference
};

XorTriple triple_of(const CoreExpression& z) {
  const auto& of = z.operands();
  return {{of[0], of[1], z}, all_of({at_most(0, of[0]), at_most(0, of[1])})};
}

void of_one(const XorTriple& it, const Terms& terms, std::vector<CoreExpression>& axioms) {
  const auto& [x, y, z] = it.number;
  axioms.push_back(implied(it.there, at_most(0, z)));
  axioms.push_back(implied(it.there, equal({Op::modulo, {x + y + z, 2}}, 0)));
  for (std::size_t i = 0; i < 3; ++i) {
    const CoreExpression& a = it.number[i];
    const CoreExpression& b = it.number[(i + 1) % 3];
    const CoreExpression& c = it.number[(i + 2) % 3];
    axioms.push_back(implied(it.there, at_most(c, a + b)));
    axioms.push_back(implied(all_of({it.there, equal(a, b)}), equal(c, 0)));
    for (const CoreExpression& e : terms.exponents)
      axioms.push_back(
          implied(all_of({it.there, at_most(0, e), less(a, power(e)), less(b, power(e))}), less(c, power(e))));
    for (const std::int64_t p : terms.powers)
      axioms.push_back(implied(all_of({it.there, less(a, p), less(b, p)}), less(c, p)));
  }
}

void of_two(const XorTriple& it, const XorTriple& other, std::vector<CoreExpression>& axioms) {
  for (std::size_t i = 0; i < 3; ++i) {
    const CoreExpression& a = it.number[(i + 1) % 3];
    const CoreExpression& b = it.number[(i + 2) % 3];
    for (std::size_t j = 0; j < 3; ++j) {
      const CoreExpression& c = other.number[(j + 1) % 3];
      const CoreExpression& d = other.number[(j + 2) % 3];
      const CoreExpression same = any_of({all_of({equal(a, c), equal(b, d)}), all_of({equal(a, d), equal(b, c)})});
      axioms.push_back(implied(all_of({it.there, other.there, same}), equal(it.number[i], other.number[j])));
    }
  }
}

}  // namespace

void collect_terms(const CoreExpression& x, Terms& terms) {
  if (x.op() == Op::power) add(x.operands()[0], terms.exponents);
  if (x.op() == Op::digits) add(x.operands()[0], terms.numbers);
  if (x.op() == Op::lowest) add(x.operands()[0], terms.lowest);
  if (x.op() == Op::xor_of) add(x, terms.differences);
  if (x.op() == Op::number) {
    for (const std::uint64_t p : {static_cast<std::uint64_t>(x.number()), static_cast<std::uint64_t>(x.number()) + 1}) {
      if (x.number() > 0 && std::has_single_bit(p) && p <= most_power)
        terms.powers.insert(static_cast<std::int64_t>(p));
    }
  }
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
  for (const CoreExpression& x : terms.lowest) {
    const CoreExpression digit(Op::lowest, {x});
    axioms.push_back(implied(equal(x, 0), equal(digit, 0)));
    axioms.push_back(implied(at_most(1, x), all_of({at_most(1, digit), at_most(digit, x)})));
  }
  std::vector<XorTriple> triples;
  for (const CoreExpression& z : terms.differences) {
    triples.push_back(triple_of(z));
    of_one(triples.back(), terms, axioms);
    for (std::size_t i = 0; i + 1 < triples.size(); ++i) of_two(triples[i], triples.back(), axioms);
  }
  return axioms;
}

}  // namespace quadrille::proof_reader
