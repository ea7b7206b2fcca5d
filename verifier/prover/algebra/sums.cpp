// Sums are found by antidifferences. For v^k · q^v there is a polynomial p with q·p(v + 1) - p(v) = v^k; its
// coefficients are found one by one, from the highest. The sum is the difference of q^v·p(v) at its ends.
//
// Example: the sum of 2^v for v in 0..L-1: p = 1, so 2^L - 2^0.
//
// Cost: k^2 operations for a term of degree k.
//
// Source: Graham, Knuth, Patashnik: Concrete Mathematics, §2.6 (finite calculus).
#include <vector>

#include "verifier/prover/algebra/algebra.h"

namespace quadrille::prover {
namespace {

Rational binomial(unsigned n, unsigned k) {
  Rational result = 1;
  for (unsigned i = 0; i < k; ++i) result = result * (n - i) / (i + 1);
  return result;
}

// The coefficients p0 … of the polynomial with q·p(v + 1) - p(v) = v^k. The differences of q^v · p(v) are q^v · v^k.
std::vector<Rational> antidifference(unsigned k, const Rational& q) {
  const bool plain = q == 1;
  const unsigned degree = plain ? k + 1 : k;
  std::vector<Rational> p(degree + 1);
  // The coefficient of v^j on the left: q · (sum over i >= j of p_i · binomial(i, j)) - p_j.
  for (unsigned j = degree + 1; j-- > 0;) {
    const unsigned row = plain ? j - 1 : j;  // the equation that fixes p_j
    if (plain && j == 0) break;              // any constant will do
    Rational right = row == k ? 1 : 0;
    for (unsigned i = j + 1; i <= degree; ++i) right -= q * p[i] * binomial(i, row);
    p[j] = plain ? Rational(right / Rational(j)) : Rational(right / (q - 1));
  }
  return p;
}

Number at(Algebra& algebra, const Number& x, Atom variable, const Number& value) {
  return algebra.substituted(x, {{variable, value}});
}

// A number whose differences are x.
std::optional<Number> antidifference(const Number& x, Atom variable) {
  Number result;
  for (const auto& [monomial, factor] : x.terms()) {
    Monomial rest = monomial;
    unsigned degree = 0;
    if (const auto held = rest.powers.find(variable); held != rest.powers.end()) {
      degree = held->second;
      rest.powers.erase(held);
    }
    Rational base = 1;
    if (const auto held = rest.exponent.find(variable); held != rest.exponent.end()) {
      if (abs(held->second) > 64) return std::nullopt;
      base = two_raised(held->second);
    }
    // The variable must not be inside other atoms.
    Monomial without = rest;
    without.exponent.erase(variable);
    if (mentions(Number(without, 1), variable)) return std::nullopt;
    Number polynomial;
    const auto coefficients = antidifference(degree, base);
    for (unsigned power = 0; power < coefficients.size(); ++power) {
      Monomial term;
      if (power > 0) term.powers[variable] = power;
      polynomial.add(term, coefficients[power]);
    }
    result = result + Number(rest, factor) * polynomial;
  }
  return result;
}

}  // namespace

std::optional<Number> closed_sum(Algebra& algebra, const Number& x, Atom variable, const Number& first,
                                 const Number& last) {
  const auto sum = antidifference(x, variable);
  if (!sum) return std::nullopt;
  const Number next = at(algebra, *sum, variable, Number(variable) + Number(1));
  if (!(next - *sum == x)) return std::nullopt;
  return at(algebra, *sum, variable, last + Number(1)) - at(algebra, *sum, variable, first);
}

}  // namespace quadrille::prover
