// Proofs by induction: a schedule's invariants hold after each step, and other properties follow from them.
//
// Induction applies only where messages cross their whole path in one round, or packets go to neighbours in one step,
// and the schedule has one clock. Obligations for properties other than the invariants' are marked as resting on
// them.
#pragma once

#include <string>
#include <vector>

#include "verifier/prover/algebra/witness.h"
#include "verifier/prover/obligations/samples.h"
#include "verifier/prover/problem/spoken.h"

namespace quadrille::prover {

// Writes that the invariants hold after each step that they are about.
void write_invariants(const Writing& writing);
// Writes that the family's processors hold what they pass on.
void write_causal_by_invariants(const Writing& writing, const Family& family);
// Writes that the statements about the end cover all demands. For combining collectives, also that each join is
// right.
void write_complete_by_invariants(const Writing& writing);

// One statement of an invariant, with variables of its own.
struct Stated {
  const SpokenInvariant* invariant = nullptr;
  const Spoken* of = nullptr;
  std::vector<Atom> variables;
  Substitution renamed;
  Number processor;
  std::optional<Number> addressee;
  Number part;
};

// The base of all parts of an induction.
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
  // Any processor: a new variable; or one for each factor, if the number of processors is a product.
  NumberInDigits anyone(const std::string& name) const;
  // A step of the invariant other than the first.
  Atom later_step(const SpokenInvariant& invariant) const {
    return algebra.variable(invariant.step->name, invariant.first + Number(1), invariant.last);
  }

  Stated stated(const SpokenInvariant& invariant, const Spoken& of, const std::string& suffix) const;
  // The statement's conditions hold at the step, so it is made about the step.
  Formula said(const Stated& it, const Number& step) const;
  // The origin is in the statement's set for the step.
  Formula member(const Stated& it, const Number& step, const Number& origin) const;
  // The statement is about the chunks of this addressee and part (or a send brings these).
  Formula same_chunks(const Stated& it, const std::optional<Number>& addressee, const Number& part) const;
  // The processor has the origin's chunk, or contribution, when the schedule begins.
  Formula at_start(const Number& processor, const std::optional<Number>& addressee, const Number& origin) const;

  // The statement that is looked for: one of the invariant about this processor and these chunks in this step; with
  // `origin`, one whose set for the step contains it.
  struct Wanted {
    Number processor;
    std::optional<Number> addressee;
    Number part;
    Number step;
    std::optional<Number> origin = {};
  };
  void seek(const SpokenInvariant& invariant, const Spoken& of, const Wanted& wanted, Sought& sought) const;
  Formula some_statement(const SpokenInvariant& invariant, const Wanted& wanted) const;
  // A send of the family that comes to the statement's processor in the step, with the statement's chunks.
  Sought send_to(const Family& family, const Stated& it, const Number& step) const;
  // The same as send_to(), for given values of all variables: their equations hold.
  Formula comes_to(const Sample& sent, const Stated& it, const Number& step) const;
  void require_one_clock(const Family& family) const;

  const Writing& writing;
  Algebra& algebra;
  const Problem& problem;
};

}  // namespace quadrille::prover
