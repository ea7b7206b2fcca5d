// Polynomials with powers of two: addition, multiplication, and properties of exponents.
//
// Example: (2^L - 1)·(2^L + 1) is 2^(2L) - 1.
//
// Cost: a product has at most (terms of one side) x (terms of the other). Terms are ordered by the age of their
// atoms, so the same schedule gives the same formulas in every run.
#include <algorithm>
#include <numeric>

#include "verifier/prover/algebra/algebra.h"

namespace quadrille::prover {

bool AtomOrder::operator()(const AtomNode* a, const AtomNode* b) const { return a->age < b->age; }
bool FormulaOrder::operator()(const FormulaNode* a, const FormulaNode* b) const { return a->age < b->age; }

namespace {

// Compares lexicographically, by age; std::map's own comparison would compare addresses.
template <class Map>
int compared(const Map& a, const Map& b) {
  auto x = a.begin();
  auto y = b.begin();
  for (; x != a.end() && y != b.end(); ++x, ++y) {
    if (x->first != y->first) return x->first->age < y->first->age ? -1 : 1;
    if (x->second != y->second) return x->second < y->second ? -1 : 1;
  }
  return x != a.end() ? 1 : y != b.end() ? -1 : 0;
}

}  // namespace

bool Monomial::operator<(const Monomial& other) const {
  const int by_powers = compared(powers, other.powers);
  return by_powers != 0 ? by_powers < 0 : compared(exponent, other.exponent) < 0;
}

std::optional<Atom> Monomial::atom() const {
  const bool one = exponent.empty() && powers.size() == 1 && powers.begin()->second == 1;
  return one ? std::optional(powers.begin()->first) : std::nullopt;
}

Number::Number(Rational value) {
  if (value != 0) terms_.emplace(Monomial{}, std::move(value));
}

Number::Number(Atom atom) {
  Monomial monomial;
  monomial.powers[atom] = 1;
  terms_.emplace(std::move(monomial), 1);
}

std::optional<Rational> Number::constant() const {
  if (terms_.empty()) return Rational(0);
  if (terms_.size() == 1 && terms_.begin()->first.constant()) return terms_.begin()->second;
  return std::nullopt;
}

std::optional<Atom> Number::atom() const {
  return terms_.size() == 1 && terms_.begin()->second == 1 ? terms_.begin()->first.atom() : std::nullopt;
}

bool Number::linear() const {
  return std::ranges::all_of(terms_, [](const auto& term) { return term.first.constant() || term.first.atom(); });
}

void Number::add(const Monomial& monomial, const Rational& factor) {
  if (factor == 0) return;
  const auto [place, fresh] = terms_.emplace(monomial, factor);
  if (fresh) return;
  place->second += factor;
  if (place->second == 0) terms_.erase(place);
}

Number Number::operator+(const Number& other) const {
  Number result = *this;
  for (const auto& [monomial, factor] : other.terms_) result.add(monomial, factor);
  return result;
}

Number Number::operator-(const Number& other) const {
  Number result = *this;
  for (const auto& [monomial, factor] : other.terms_) result.add(monomial, -factor);
  return result;
}

Number Number::operator*(const Number& other) const {
  Number result;
  for (const auto& [a, by] : terms_) {
    for (const auto& [b, factor] : other.terms_) {
      Monomial product = a;
      for (const auto& [atom, power] : b.powers) product.powers[atom] += power;
      for (const auto& [atom, times] : b.exponent) {
        Integer& sum = product.exponent[atom];
        sum += times;
        if (sum == 0) product.exponent.erase(atom);
      }
      result.add(product, by * factor);
    }
  }
  return result;
}

Integer Number::denominator() const {
  Integer result = 1;
  for (const auto& [monomial, factor] : terms_)
    result = lcm(result, Integer(boost::multiprecision::denominator(factor)));
  return result;
}

Integer rounded_down(const Rational& x) {
  const Integer whole = numerator(x) / denominator(x);
  return whole > x ? Integer(whole - 1) : whole;
}

std::vector<Atom> factors_of(const Number& x) {
  std::vector<Atom> result;
  for (const auto& [monomial, factor] : x.terms()) {
    for (const auto& [atom, power] : monomial.powers) result.push_back(atom);
  }
  return result;
}

std::vector<Atom> atoms_of(const Number& x) {
  std::vector<Atom> result = factors_of(x);
  for (const auto& [monomial, factor] : x.terms()) {
    for (const auto& [atom, times] : monomial.exponent) result.push_back(atom);
  }
  return result;
}

Rational two_raised(const Integer& exponent) {
  const Integer power = Integer(1) << static_cast<unsigned>(abs(exponent));
  return exponent < 0 ? Rational(1, power) : Rational(power);
}

long powers_of_two(const Rational& factor) {
  const Integer above = abs(Integer(numerator(factor)));
  const Integer below = denominator(factor);
  return static_cast<long>(lsb(above)) - static_cast<long>(lsb(below));
}

Number power_in(const Number& x) {
  if (x.terms().empty()) return Number(1);
  const auto& [monomial, factor] = *x.terms().begin();
  Monomial power;
  power.exponent = monomial.exponent;
  return {power, two_raised(powers_of_two(factor))};
}

Number exponent_of(const Monomial& monomial) {
  Number exponent;
  for (const auto& [atom, times] : monomial.exponent) exponent = exponent + Number(atom) * Number(Rational(times));
  return exponent;
}

std::optional<Number> exponent_of(const Number& x) {
  if (x.terms().size() != 1 || !x.terms().begin()->first.powers.empty()) return std::nullopt;
  const auto& [monomial, factor] = *x.terms().begin();
  if (factor <= 0) return std::nullopt;
  const Integer above = numerator(factor);
  const Integer below = denominator(factor);
  if ((above & (above - 1)) != 0 || (below & (below - 1)) != 0) return std::nullopt;
  Number exponent(static_cast<int>(msb(above)) - static_cast<int>(msb(below)));
  return exponent + exponent_of(monomial);
}

bool is_exponent(const Number& x) {
  constexpr int largest = 4096;
  if (!x.linear() || x.denominator() != 1) return false;
  const auto constant = x.terms().find(Monomial{});
  return constant == x.terms().end() || abs(constant->second) <= largest;
}

Number power_of_two(const Number& exponent) {
  Monomial monomial;
  Rational factor = 1;
  for (const auto& [term, times] : exponent.terms()) {
    const Integer whole = boost::multiprecision::numerator(times);
    if (term.constant()) {
      factor = two_raised(whole);
    } else {
      monomial.exponent[term.powers.begin()->first] = whole;
    }
  }
  return {monomial, factor};
}

}  // namespace quadrille::prover
