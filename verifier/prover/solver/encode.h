// Encodes numbers and formulas as Z3 expressions.
#pragma once

#include <z3++.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "verifier/prove.h"
#include "verifier/prover/algebra/algebra.h"

namespace quadrille::prover {

// Encodes in bit-vectors that are wide enough for every value that occurs, or in integers. Everything is in two's
// complement, and no operation wraps around: the width is computed from the bounds of every number, part of a number,
// and shift. Throws Unsupported for a number or formula that the theory cannot express.
class Encoder {
 public:
  // `width`: of bit-vectors.
  Encoder(z3::context& context, const Algebra& algebra, Theory theory, unsigned width = 0)
      : context_(context), algebra_(algebra), theory_(theory), width_(width), facts_(context) {}

  z3::expr formula(Formula f);
  z3::expr number(const Number& x);
  z3::expr variable(Atom atom);
  // The formula that the variable is at most `value`, which is in its range.
  z3::expr formula_at_most(Atom atom, const Integer& value) { return number(Number(atom)) <= constant(value); }
  // The variable's value in a model; nothing if the model has none.
  std::optional<Integer> value(Atom atom, const z3::model& model);
  // Lowers the value of `atom`, which is encoded as `own`, in a counterexample: by bisection, so that it is right to
  // stop anywhere. `smaller` looks for a counterexample under an assumption.
  using Smaller = std::function<std::optional<Assignment>(z3::expr_vector& assumption)>;
  void lower(z3::solver& solver, Atom own, Atom atom, Assignment& best, const Smaller& smaller);
  // Facts that must also be asserted: ranges of variables, and meanings of auxiliary ones.
  const z3::expr_vector& facts() const { return facts_; }
  // With Theory::power_axioms: adds axioms about powers of two to the facts. Requires that everything is encoded.
  void add_power_axioms();

 private:
  z3::expr constant(const Integer& value);
  z3::expr scaled(const Number& x, const Integer& by);
  z3::expr term(const Monomial& monomial, const Integer& whole_factor);
  z3::expr atom(Atom atom);
  z3::expr unknown(const Monomial& monomial);
  void add_digit_axioms();
  bool add_digit_axiom(Atom atom);
  void range(Atom atom, const z3::expr& value);
  z3::expr made(Atom atom);
  z3::expr division(Atom atom);
  z3::expr division_in_few(Atom atom);
  std::optional<std::pair<Integer, Integer>> few_quotients(const Number& a, const Number& b) const;
  z3::expr digits(Atom atom);
  z3::expr bitwise(Atom atom);
  z3::expr bitwise_among_integers(Atom atom);
  bool without_common_digits(const Number& x, const Number& y) const;
  z3::expr digits_in(const Number& x, const Integer& mask);
  z3::expr quotient(const Number& a, const Integer& by);
  z3::expr at_least_zero(const z3::expr& x);

  z3::context& context_;
  const Algebra& algebra_;
  Theory theory_;
  unsigned width_;
  z3::expr_vector facts_;
  std::map<Atom, z3::expr, AtomOrder> atoms_;
  std::map<Formula, z3::expr, FormulaOrder> formulas_;
  std::map<Monomial, z3::expr> unknowns_;  // Theory::power_axioms
  std::map<Number, std::map<Integer, z3::expr>> quotients_;
  unsigned auxiliary_ = 0;
};

// Z3's resource units that the solver's context has used so far.
std::uint64_t resources_used(const z3::solver& solver);

// Whether the formula, or number, contains powers of two or bits.
bool needs_bits(Formula f);
bool needs_bits(const Number& x);

// The number of bits that a two's complement number needs for every value in the formulas. Throws Unsupported.
unsigned width_for(const Algebra& algebra, const std::vector<Formula>& formulas, const std::vector<Atom>& scope);

}  // namespace quadrille::prover
