// Rewriting puts numbers in place of atoms, in numbers and formulas.
#pragma once

#include <unordered_map>

#include "verifier/prover/algebra/algebra.h"

namespace quadrille::prover {

// Rewrites numbers and formulas of one algebra in the same or in another one. Each atom and formula is made once.
// All functions throw Unsupported if the exponent of a power would not be linear.
class Rewriting {
 public:
  // Keeps references. The numbers in `by` belong to the algebra `into`.
  Rewriting(Algebra& into, const Substitution& by) : into_(into), by_(by) {}
  virtual ~Rewriting() = default;
  Rewriting(const Rewriting&) = delete;
  Rewriting& operator=(const Rewriting&) = delete;

  Number of(const Number& x);
  Formula of(Formula f);

 protected:
  Algebra& into() const { return into_; }
  // The number that a variable becomes if `by` does not contain it.
  virtual Number unchanged(Atom variable) { return Number(variable); }
  // The quotient or remainder of two numbers that are rewritten already.
  virtual Number divided(AtomKind kind, const Number& a, const Number& b);

 private:
  const Number& at(Atom atom);
  Number made(Atom atom);
  Formula made(Formula f);

  Algebra& into_;
  const Substitution& by_;
  std::unordered_map<Atom, Number> atoms_;
  std::unordered_map<Formula, Formula> formulas_;
};

}  // namespace quadrille::prover
