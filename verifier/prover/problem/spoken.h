// The meaning of a schedule's invariants, for every step and size: formulas from which proofs by induction are made.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verifier/prover/problem/expressions.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {

// `held(k, part p) == S`: one statement for each value of `variables` with which `given` holds. Its processor and
// chunks do not depend on the step; S does, and `given` may.
struct Spoken {
  std::vector<Atom> variables;  // of the loops around
  Formula given = nullptr;
  bool by_step = false;  // whether `given` depends on the step
  Number processor;
  std::optional<Number> addressee;  // for copying; nothing: the chunks for everyone
  Number part;                      // for combining: the value
  Formula member = nullptr;         // the invariant's `origin` is in S
  bool at_least = false;
  Span span;
};

struct SpokenInvariant {
  std::string text;
  Span span;
  Atom step = nullptr;       // the variable of the step: first … last
  Number first, last;        // there is no such step if the last is below the first
  Number origin;             // a variable, 0 … n - 1; or a number of digits (Problem::extents):
  std::vector<Atom> digits;  // these, the last one last
  std::vector<Spoken> statements;
  std::vector<Condition> within;  // no set has other members than these, and all that the statements name exists
};

// Puts the number in place of the invariant's origin. Throws Unsupported if its digits are not known.
void put_origin(const Algebra& algebra, const SpokenInvariant& invariant, const Number& origin, Substitution& by);

// The meaning of an invariant. Throws Unsupported. `expressions`: the schedule's; the conditions that they bring are
// added to its problem.
SpokenInvariant spoken(Algebra& algebra, const Problem& problem, Expressions& expressions, const ir::Invariant& from);

}  // namespace quadrille::prover
