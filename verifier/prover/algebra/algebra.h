// Numbers and formulas that depend on variables. They are the values of a schedule's expressions when no size is
// chosen.
//
// A Number is a polynomial in normal form: a sum of monomials c · a1^k1 · a2^k2 · … · 2^(e1·b1 + e2·b2 + …) with
// rational c and atoms a, b. So 2^L / 2^h, 4^(h-1) and sums of geometric series look as they do on paper, and two
// numbers that the laws of polynomials make equal are the same. An atom is a variable, or something that is no
// polynomial: a quotient, a remainder, a bitwise operation, a choice. Every Number made here is an integer wherever
// its variables are in their ranges and everything that the schedule defines is defined; fractions occur only in the
// notation.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/text/source.h"

namespace quadrille::prover {

using Integer = boost::multiprecision::cpp_int;
using Rational = boost::multiprecision::cpp_rational;

// The largest integer that is not above x.
Integer rounded_down(const Rational& x);

struct AtomNode;
struct FormulaNode;

// Each atom and formula exists once, for as long as the program runs the proof (Algebra owns them). They are ordered
// by age.
struct AtomOrder {
  bool operator()(const AtomNode* a, const AtomNode* b) const;
};
using Atom = const AtomNode*;
struct FormulaOrder {
  bool operator()(const FormulaNode* a, const FormulaNode* b) const;
};
using Formula = const FormulaNode*;

struct Monomial {
  std::map<Atom, unsigned, AtomOrder> powers;
  std::map<Atom, Integer, AtomOrder> exponent;  // of 2
  bool operator<(const Monomial& other) const;
  bool operator==(const Monomial& other) const = default;
  bool constant() const { return powers.empty() && exponent.empty(); }
  std::optional<Atom> atom() const;  // the atom, if it is nothing else
};

class Number {
 public:
  Number() = default;  // zero
  Number(Rational value);
  Number(int value) : Number(Rational(value)) {}
  explicit Number(Atom atom);
  Number(const Monomial& monomial, const Rational& factor) { add(monomial, factor); }

  const std::map<Monomial, Rational>& terms() const { return terms_; }
  std::optional<Rational> constant() const;  // its value, if it contains no variable
  std::optional<Atom> atom() const;          // the atom, if it is nothing else
  bool linear() const;                       // whether it has no products and no powers of two

  Number operator+(const Number& other) const;
  Number operator-(const Number& other) const;
  Number operator*(const Number& other) const;
  Number operator-() const { return Number(0) - *this; }
  bool operator==(const Number& other) const = default;
  bool operator<(const Number& other) const { return terms_ < other.terms_; }

  void add(const Monomial& monomial, const Rational& factor);
  // The smallest positive number that makes all coefficients whole.
  Integer denominator() const;

 private:
  std::map<Monomial, Rational> terms_;  // no zeros
};

// The atoms that are factors of the number's terms, one term after another; and all that are not inside others: also
// those in exponents of two.
std::vector<Atom> factors_of(const Number& x);
std::vector<Atom> atoms_of(const Number& x);

// 2^exponent, a fraction if the exponent is negative.
Rational two_raised(const Integer& exponent);
// The exponent of two in a fraction: 3 for 8, -1 for 3/2; and the power of two in a number's first monomial: 2^h/2
// for 3/2·k·2^h + l.
long powers_of_two(const Rational& factor);
Number power_in(const Number& x);
// The number e of a monomial … · 2^e.
Number exponent_of(const Monomial& monomial);
// The exponent of a number 2^e that has one term, with a positive coefficient that is a power of two: 1/2 · 2^L is
// 2^(L-1).
std::optional<Number> exponent_of(const Number& x);
// Whether 2^x can be written: x is linear with whole coefficients, its constant part within -4096 … 4096.
bool is_exponent(const Number& x);
// 2^exponent. Requires is_exponent(exponent).
Number power_of_two(const Number& exponent);

enum class AtomKind : std::uint8_t { variable, quotient, remainder, power, bit_or, bit_xor, bit_and, bits, choice };
constexpr bool bitwise_kind(AtomKind kind) {
  return kind == AtomKind::bit_or || kind == AtomKind::bit_xor || kind == AtomKind::bit_and;
}

// A variable takes the integer values first … last; the variables in these bounds are older.
struct AtomNode {
  AtomKind kind = AtomKind::variable;
  std::uint32_t age = 0;
  std::string name = {};              // variables
  std::optional<Number> first = {};   // variables; absent: no limit
  std::optional<Number> last = {};    //
  std::vector<Number> operands = {};  // bits: one; power: base, exponent; choice: then, otherwise; bitwise: any number,
                                      // sorted; else two
  Formula condition = nullptr;        // choice
};

// positive: operand >= 0. zero: operand == 0. Their operands have integer coefficients without a common factor. "a or
// b" is kept as "not (not a and not b)".
enum class FormulaNodeKind : std::uint8_t { constant, positive, zero, negation, conjunction };

struct FormulaNode {
  FormulaNodeKind kind = FormulaNodeKind::constant;
  std::uint32_t age = 0;
  bool value = false;          // constant
  Number operand;              // positive, zero
  std::vector<Formula> parts;  // the others
};

using Assignment = std::map<Atom, Integer, AtomOrder>;
using Substitution = std::map<Atom, Number, AtomOrder>;
using Variables = std::set<Atom, AtomOrder>;

class Algebra {
 public:
  Algebra();
  ~Algebra();
  Algebra(const Algebra&) = delete;
  Algebra& operator=(const Algebra&) = delete;

  // Searches call it in their loops; it may throw, which ends them.
  std::function<void()> pulse = [] {};

  // A new variable. It is different from all others, even if they have the same name.
  Atom variable(std::string name, std::optional<Number> first, std::optional<Number> last);

  Number divide(const Number& a, const Number& b);           // rounded down
  Number remainder(const Number& a, const Number& b);        // a - b · (a / b)
  Number power(const Number& base, const Number& exponent);  // base^exponent; 0 if the exponent is negative
  Number bitwise(AtomKind kind, const Number& a, const Number& b);
  Number bits(const Number& x);  // the number of binary digits of x >= 0; 0 for 0
  Number choice(Formula condition, const Number& then, const Number& otherwise);
  Number least(const Number& a, const Number& b) { return choice(at_most(a, b), a, b); }
  Number greatest(const Number& a, const Number& b) { return choice(at_most(a, b), b, a); }

  Formula truth(bool value) const { return value ? true_ : false_; }
  Formula at_least_zero(const Number& x);
  Formula at_most(const Number& a, const Number& b) { return at_least_zero(b - a); }
  Formula less(const Number& a, const Number& b) { return at_least_zero(b - a - Number(1)); }
  Formula equal(const Number& a, const Number& b);
  // 0 <= x < end.
  Formula below(const Number& x, const Number& end) { return conjunction({at_least_zero(x), less(x, end)}); }
  Formula negation(Formula f);
  Formula conjunction(const std::vector<Formula>& parts);
  Formula disjunction(std::vector<Formula> parts);

  // These throw Unsupported if the exponent of a power would not be linear.
  Number substituted(const Number& x, const Substitution& by);
  Formula substituted(Formula f, const Substitution& by);

  // A number that x is never below (above), whatever values its variables take from their ranges; nothing if none was
  // found. Exact if x is monotonic in each variable.
  std::optional<Rational> lower(const Number& x) const { return bound(x, false); }
  std::optional<Rational> upper(const Number& x) const { return bound(x, true); }
  bool never_negative(const Number& x) const;
  // The same, with a longer look at quotients and remainders.
  bool never_negative_by_division(const Number& x) const;
  // Simpler equations that together say that a = b. They equate the quotients and the remainders by a number that is
  // above both remainders. Nothing if there is no such number.
  std::optional<std::vector<std::pair<Number, Number>>> parts_of_equation(const Number& a, const Number& b) const;
  // The steps by which lower() finds its bound, as long as every step replaces a variable by an end of its range: x,
  // and then numbers none of which is ever above the one before. The last one is a constant, or the right end of its
  // range is not known.
  std::vector<Number> descent(const Number& x) const;

  // Whether comparisons that the bounds decide are replaced by their truth value (at first they are). Obligations are
  // written without that, so that the solver, and whoever checks after it, is asked about everything that must hold.
  void compare_by_bounds(bool yes) { compare_by_bounds_ = yes; }

 private:
  Atom keep(AtomNode node);
  Number operation(AtomKind kind, std::vector<Number> operands, Formula condition = nullptr);
  Formula keep(FormulaNode node);
  std::optional<Rational> bound(const Number& x, bool above) const;
  bool never_negative(const Number& x, int depth) const;
  Number lower_by_division(const Number& x) const;
  std::optional<Rational> bound_of_atom(Atom atom, bool above) const;
  std::optional<Rational> bound_of_atom_anew(Atom atom, bool above) const;
  std::optional<Rational> bound_by_terms(const Number& x, bool above) const;
  std::optional<Rational> magnitude_bound(const Monomial& monomial, bool above) const;
  std::optional<Atom> youngest(const Number& x, std::optional<Atom> limit) const;
  std::optional<Number> bound_replaced(const Number& x, std::optional<Atom> variable, bool above) const;
  std::optional<Number> digits_replaced(const Number& x, std::optional<Atom> variable, bool above) const;
  bool whole(const Monomial& monomial, const Rational& factor) const;
  bool whole(const Number& x) const;  // whether each of its terms is an integer
  Number lighter(const Number& x) const;
  Number primitive(const Number& x) const;
  std::optional<Number> times_around(const Number& x, const Number& b);
  bool is_power_of_two(const Number& x) const;
  bool is_one(const Number& power) const;
  std::vector<Number> apart(const Number& x) const;
  std::optional<Number> shifted_together(AtomKind kind, const std::vector<Number>& operands);
  // Bounds that depend on other variables.
  struct NumberRange {
    std::optional<Number> first, last;
  };
  std::optional<NumberRange> range_of(Atom atom) const;
  std::optional<Number> last_quotient(Atom atom) const;
  Number xor_of(const std::vector<Number>& operands);
  std::optional<Formula> equal_bits(const Number& a, const Number& b);
  std::optional<Formula> equal_parts(const Number& a, const Number& b);
  // a = b · quotient + rest, where the quotient is certainly an integer.
  struct Split {
    Number quotient;
    Number rest;
  };
  Split split(const Number& a, const Number& b) const;

  struct Tables;
  std::unique_ptr<Tables> tables_;
  // The bounds of atoms that are known already; several threads may ask.
  mutable std::map<std::pair<Atom, bool>, std::optional<Rational>> bounds_;
  mutable std::mutex bounds_mutex_;
  bool compare_by_bounds_ = true;
  Formula true_ = nullptr;
  Formula false_ = nullptr;
};

// Collects the variables in x or f, also those inside their atoms, but not those of the variables' ranges.
void collect_variables(const Number& x, Variables& found);
void collect_variables(Formula f, Variables& found);
Variables variables_in(const auto& x) {
  Variables found;
  collect_variables(x, found);
  return found;
}
// The variables of all these lists, in their order.
std::vector<Atom> joined(std::vector<Atom> all, const auto&... more) {
  (all.insert(all.end(), more.begin(), more.end()), ...);
  return all;
}
bool mentions(const auto& x, Atom variable) { return variables_in(x).contains(variable); }

// The value for these values of the variables. Requires all variables, and that everything is defined.
Integer evaluate(const Number& x, const Assignment& values);
bool evaluate(Formula f, const Assignment& values);

// Text in a person's notation: "2^L + 2*L - 2".
std::string to_string(const Number& x);
std::string to_string(Formula f);

// The reason why a schedule, or a part of it, is not supported. If the place is not known, a caller that knows it
// adds it.
struct Unsupported {
  std::string reason;
  Span span;
};

// The sum x(first) + x(first + 1) + … + x(last), where x(v) is the number with v for the variable; 0 if last = first
// - 1. Nothing if the sum has no closed form here: x must be a sum of products v^k · q^v · (a number that does not
// depend on v), where q is a power of two. Requires last >= first - 1. The result is checked by the law that defines
// the sum: it grows by x(v + 1) with each step.
std::optional<Number> closed_sum(Algebra& algebra, const Number& x, Atom variable, const Number& first,
                                 const Number& last);

}  // namespace quadrille::prover
