// What a schedule's invariants say, for every step and size: formulas from which proofs by induction are made.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verifier/prover/expressions.h"
#include "verifier/prover/problem.h"

namespace quadrille::prover {

// `held(k, part p) == S`: a statement for each value of `variables` with which `given` holds. Neither these nor who and
// what it speaks of depend on the step; only S does.
struct Spoken {
  std::vector<Atom> variables;  // of the loops around
  Formula given = nullptr;
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
  Atom step = nullptr;    // of which it speaks: first … last
  Number first, last;     // no such step, if the last is below the first
  Atom origin = nullptr;  // 0 … n - 1
  std::vector<Spoken> statements;
  std::vector<Condition> within;  // that no set has others than these, and that what is spoken of exists
};

// Throws Unsupported. `expressions`: the schedule's; the conditions that they bring are added to its problem.
SpokenInvariant spoken(Algebra& algebra, const Problem& problem, Expressions& expressions, const ir::Invariant& from);

}  // namespace quadrille::prover
