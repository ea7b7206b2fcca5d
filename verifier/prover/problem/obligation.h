// Obligations: what must be shown; and decisions: what came of it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "verifier/prove.h"
#include "verifier/prover/algebra/algebra.h"

namespace quadrille::prover {

// What happens with these values of all variables, in words; nothing if nothing wrong does.
using Explanation = std::function<std::optional<std::string>(const Assignment&)>;

// What implies an obligation's `must` and may be easier to decide.
struct Shortcut {
  std::string meaning;
  Formula must = nullptr;
};

// Wherever the variables of `scope` lie in their ranges and `given` holds, `must` holds.
struct Obligation {
  ProvedProperty property = ProvedProperty::well_formed;
  std::string name = {};     // "up"
  std::string meaning = {};  // what it says, in words
  std::vector<Atom> scope = {};
  Formula given = nullptr;
  Formula must = nullptr;
  Span span = {};
  Span second = {};  // where the second packet is sent, if it is about two; `span` is the first's
  // Where it fails, so does the schedule; otherwise it is a step on one way to show something, and proves nothing if it
  // fails.
  bool exact = true;
  // Claims: which. The inexact obligations of a property and group are what the exact ones build on.
  std::string group = {};
  Explanation explanation = {};           // of where it fails
  std::optional<Shortcut> shortcut = {};  // is tried first, and only proves
  bool about_apexes = false;              // that a formula for a family's apex level is right
  bool basic = false;                     // that the families are right: all the others build on it
  bool by_invariants = false;             // it takes for granted that the invariants hold
};

struct Decision {
  ProofVerdict verdict = ProofVerdict::unknown;
  UsedTheory theory;
  Reason reason = Reason::none;  // unknown: of which kind, …
  std::string why;               // … and in words
  // Proved: whether nothing is in the ranges with which `given` holds. Else values are known that are, and the
  // obligation holds there, too: what is proved because the question was put wrongly would be found out.
  std::optional<bool> vacuous;
  double seconds = 0;
  Assignment counterexample;  // refuted: the values of all variables
  std::string smt2;           // what was asked, as SMT-LIB 2
  std::uint64_t effort = 0;   // of Z3, in its resource units
  bool by_shortcut = false;   // it was the shortcut that was proved, and asked about
};

// What is said of an obligation that was not decided because the limits were reached.
std::string why_of(Reason reason);

// The variables that it speaks of, and those of their ranges, older ones first.
std::vector<Atom> all_variables(const Obligation& obligation);

}  // namespace quadrille::prover
