// Obligations, which must be proved, and decisions about them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/limits/watch.h"
#include "verifier/prove.h"
#include "verifier/prover/algebra/algebra.h"

namespace quadrille::prover {

// Tells in words what happens with these values of all variables; nothing if nothing wrong happens.
using Explanation = std::function<std::optional<std::string>(const Assignment&)>;

// A formula that implies an obligation's `must` and may be easier to decide.
struct Shortcut {
  std::string meaning;
  Formula must = nullptr;
};

// The obligation that `must` holds wherever the variables of `scope` are in their ranges and `given` holds.
struct Obligation {
  ProvedProperty property = ProvedProperty::well_formed;
  std::string name = {};     // "up"
  std::string meaning = {};  // what it says, in words
  std::vector<Atom> scope = {};
  Formula given = nullptr;
  Formula must = nullptr;
  Span span = {};
  Span second = {};  // where the second packet is sent, if it is about two; `span` is the first's
  // Whether the schedule fails where the obligation fails. Otherwise the obligation is a step of one possible proof,
  // and its failure shows nothing.
  bool exact = true;
  // For claims: which one. The exact obligations of a property and group build on its inexact ones.
  std::string group = {};
  Explanation explanation = {};           // of a failure
  std::optional<Shortcut> shortcut = {};  // tried first; it can only prove
  bool about_apexes = false;              // it says that a formula for a family's apex level is right
  bool basic = false;                     // it says that the families are right; all others build on it
  bool by_invariants = false;             // it assumes that the invariants hold
};

// The question of an obligation.
struct AskedFormula {
  std::vector<Atom> scope;
  Formula given = nullptr;
  Formula must = nullptr;
};
inline Obligation asking(Obligation obligation, AskedFormula question) {
  obligation.scope = std::move(question.scope);
  obligation.given = question.given;
  obligation.must = question.must;
  return obligation;
}

// A step of one possible proof, still without a question.
inline Obligation proof_step(ProvedProperty property, std::string name, std::string meaning, Span span,
                             std::string group = {}) {
  return {.property = property,
          .name = std::move(name),
          .meaning = std::move(meaning),
          .span = span,
          .exact = false,
          .group = std::move(group)};
}

struct Decision {
  ProofVerdict verdict = ProofVerdict::unknown;
  UsedTheory theory;
  Reason reason = Reason::none;  // for unknown: the kind of reason, …
  std::string why;               // … and in words
  // For proved: whether no values are in the ranges with which `given` holds. Otherwise such values are known, and
  // the obligation holds for them, too, so a proof of a wrongly put question would be found out.
  std::optional<bool> vacuous;
  double seconds = 0;
  Assignment counterexample;  // refuted: the values of all variables
  std::string smt2;           // the question, as SMT-LIB 2
  std::uint64_t effort = 0;   // of Z3, in its resource units
  bool by_shortcut = false;   // the shortcut was asked about and proved

  bool proved() const { return verdict == ProofVerdict::proved; }
};

// The work that Z3 may do for one question, in its resource units, and the watch that may stop it earlier.
struct SolverEffort {
  Watch& watch;
  std::uint32_t units = 0;

  // The same effort, but no more than `most` units.
  SolverEffort at_most(std::uint32_t most) const { return {watch, units < most ? units : most}; }
};

// The reason why something is left open. Solvers throw it.
struct Failure {
  Reason reason = Reason::none;
  std::string why;
};

// The text for an obligation that was not decided because the limits were reached.
std::string why_of(Reason reason);

// The variables of the obligation, and those of their ranges, older ones first.
std::vector<Atom> all_variables(const Obligation& obligation);

}  // namespace quadrille::prover
