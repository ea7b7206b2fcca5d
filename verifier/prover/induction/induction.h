// Proofs by induction: that a schedule's invariants hold after each step, and what follows from them.
//
// Only where messages cross their whole path in one round, or packets go to neighbours in one step, and the schedule
// has one clock. What is written for other properties than the invariants' is marked as resting on them.
#pragma once

#include <string>
#include <vector>

#include "verifier/prover/algebra/witness.h"
#include "verifier/prover/obligations/samples.h"
#include "verifier/prover/problem/spoken.h"

namespace quadrille::prover {

// The invariants hold after each step that they speak of.
void write_invariants(const Writing& writing);
// What the family's processors pass on, they hold.
void write_causal_by_invariants(const Writing& writing, const Family& family);
// What is stated at the end is all that is demanded. Combining: also that each join is right.
void write_complete_by_invariants(const Writing& writing);

// A statement, with variables of its own.
struct Stated {
  const SpokenInvariant* invariant = nullptr;
  const Spoken* of = nullptr;
  std::vector<Atom> variables;
  Substitution renamed;
  Number processor;
  std::optional<Number> addressee;
  Number part;
};

// What all parts of an induction are made of.
class Induction {
 public:
  explicit Induction(const Writing& from) : writing(from), algebra(from.algebra), problem(from.problem) {}

 protected:
  bool combines() const { return problem.collective.reduction.has_value(); }
  Number processors() const { return problem.processors; }
  Formula both(const std::vector<Formula>& parts) const { return algebra.conjunction(parts); }
  Formula any(std::vector<Formula> parts) const { return algebra.disjunction(std::move(parts)); }
  Formula implied(Formula a, Formula b) const { return any({algebra.negation(a), b}); }
  Formula same(Formula a, Formula b) const { return both({implied(a, b), implied(b, a)}); }
  // Any processor: a variable; or, where their number is a product of variables, one for each of these, as the digits
  // of its number, 0 … m - 1 to the base m.
  struct Anyone {
    Number number;
    std::vector<Atom> variables;
    operator const Number&() const { return number; }
  };
  Anyone anyone(const std::string& name) const;
  static void add(const Anyone& one, std::vector<Atom>& scope) {
    scope.insert(scope.end(), one.variables.begin(), one.variables.end());
  }
  // A step of the invariant that has one before it.
  Atom later_step(const SpokenInvariant& invariant) const {
    return algebra.variable(invariant.step->name, invariant.first + Number(1), invariant.last);
  }

  Stated stated(const SpokenInvariant& invariant, const Spoken& of, const std::string& suffix) const;
  // That it is stated of the step: its conditions hold.
  Formula said(const Stated& it, const Number& step) const;
  // That the origin is in the statement's set for the step.
  Formula member(const Stated& it, const Number& step, const Number& origin) const;
  // That they speak of, or bring, the chunks of the same addressee and part.
  Formula same_chunks(const Stated& it, const std::optional<Number>& addressee, const Number& part) const;
  // That the processor has the origin's chunk, or contribution, when the schedule begins.
  Formula at_start(const Number& processor, const std::optional<Number>& addressee, const Number& origin) const;

  // What is looked for: a statement of the invariant about that processor and these chunks in that step; with `origin`:
  // whose set for the step has it.
  struct Wanted {
    Number processor;
    std::optional<Number> addressee;
    Number part;
    Number step;
    std::optional<Number> origin = {};
  };
  void seek(const SpokenInvariant& invariant, const Spoken& of, const Wanted& wanted, Sought& sought) const;
  Formula some_statement(const SpokenInvariant& invariant, const Wanted& wanted) const;
  // A send of the family that comes to the statement's processor in that step, with such chunks.
  Sought send_to(const Family& family, const Stated& it, const Number& step) const;
  // The same, for all values: their equations hold.
  Formula comes_to(const Sample& sent, const Stated& it, const Number& step) const;
  void require_one_clock(const Family& family) const;

  const Writing& writing;
  Algebra& algebra;
  const Problem& problem;
};

// Joins, in rounds: each adds what it brings, counts nothing twice, and is spoken of (induction_joins.cpp).
void write_joins(const Writing& writing);

}  // namespace quadrille::prover
