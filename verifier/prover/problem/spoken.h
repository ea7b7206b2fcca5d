// What a schedule's invariants say, for every step and size: formulas from which proofs by induction are made.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verifier/prover/problem/expressions.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {

// `held(k, part p) == S`: a statement for each value of `variables` with which `given` holds. Who and what it speaks of
// does not depend on the step; S does, and `given` may.
struct Spoken {
  std::vector<Atom> variables;  // of the loops around
  Formula given = nullptr;
  bool by_step = false;  // `given` speaks of the step
  Number processor;
  std::optional<Number> addressee;  // copying: nothing: of the chunks for everyone
  Number part;                      // combining: the value
  Formula member = nullptr;         // the invariant's `origin` is in S
  bool at_least = false;
  Span span;
};

struct SpokenInvariant {
  std::string text;
  Span span;
  Atom step = nullptr;       // of which it speaks: first … last
  Number first, last;        // no such step, if the last is below the first
  Number origin;             // a variable, 0 … n - 1; or a number of digits (Problem::extents):
  std::vector<Atom> digits;  // these, the last one last
  std::vector<Spoken> statements;
  std::vector<Condition> within;  // that no set has others than these, and that what is spoken of exists
};

// Puts the number in place of the invariant's origin. Throws Unsupported, if its digits are not known.
void put_origin(const Algebra& algebra, const SpokenInvariant& invariant, const Number& origin, Substitution& by);

// Throws Unsupported. `expressions`: the schedule's; the conditions that they bring are added to its problem.
SpokenInvariant spoken(Algebra& algebra, const Problem& problem, Expressions& expressions, const ir::Invariant& from);

}  // namespace quadrille::prover
