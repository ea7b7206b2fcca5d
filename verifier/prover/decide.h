// Deciding obligations with Z3.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "verifier/prove.h"
#include "verifier/prover/algebra.h"

namespace quadrille::prover {

// What happens with these values of all variables, in words; nothing if nothing wrong does.
using Story = std::function<std::optional<std::string>(const Assignment&)>;

// What implies an obligation's `must` and may be easier to decide.
struct Shortcut {
  std::string meaning;
  Formula must = nullptr;
};

// Wherever the variables of `scope` lie in their ranges and `given` holds, `must` holds.
struct Obligation {
  std::string property;  // "contention_free"
  std::string name;      // "up channels: line 12 with line 14"
  std::string meaning;   // what it says, in words
  std::vector<Atom> scope;
  Formula given = nullptr;
  Formula must = nullptr;
  Span span;
  // Where it fails, so does the schedule; otherwise it is a step on one way to show something, and proves nothing if it
  // fails.
  bool exact = true;
  std::string group =
      {};            // claims: which; the inexact obligations of a property and group are what the exact ones build on
  Story story = {};  // of where it fails
  Span second = {};  // where the second packet is sent, if it is about two; `span` is the first's
  std::optional<Shortcut> shortcut = {};  // is tried first, and only proves
};

struct Decision {
  ProofVerdict verdict = ProofVerdict::unknown;
  std::string theory;  // "bit-vectors of 70 bits", "laws of powers", "integers", "algebra"
  std::string reason;  // unknown: why
  // Proved: whether nothing is in the ranges with which `given` holds. Else values are known that are, and the
  // obligation holds there, too: what is proved because the question was put wrongly would be found out.
  std::optional<bool> vacuous;
  double seconds = 0;
  Assignment counterexample;  // refuted: the values of all variables
  std::string smt2;           // what was asked, as SMT-LIB 2
  bool by_shortcut = false;   // it was the shortcut that was proved, and asked about
};

// The variables that it speaks of, and those of their ranges, older ones first.
std::vector<Atom> all_variables(const Obligation& obligation);

// `small`: of the counterexamples, one in which these variables are as small as can be found.
// Requires that nothing is added to `algebra` meanwhile; several threads may decide at once.
Decision decide(const Algebra& algebra, const Obligation& obligation, const std::vector<Atom>& small,
                unsigned milliseconds, const std::function<bool()>& cancelled);

}  // namespace quadrille::prover
