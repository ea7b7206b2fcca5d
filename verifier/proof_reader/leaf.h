// Leaves of a proof: formulas that a solver decides.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verifier/proof_reader/core_form.h"

namespace quadrille::proof_reader {

// Wherever the variables of `scope` lie in their ranges and `given` holds, `must` is defined, and holds.
struct Leaf {
  std::string name;  // "contention_free (apart m1 m1): link, d later"
  CoreRanges scope;  // parameters first
  CoreExpression given = truth(true);
  CoreExpression must = truth(true);
};

// Whether nobody needs to be asked, since `must` is written `true`.
bool is_plain(const Leaf& leaf);

// Whether powers of two, or numbers of binary digits, occur in it: the solver is told axioms of them only, so what it
// finds against the leaf means nothing.
bool by_axioms(const Leaf& leaf);

// A question whether there are values that break it, as SMT-LIB 2: if each (check-sat) is answered by `unsat`, there
// are none, so the leaf holds. Several are asked one after another, the easiest first.
struct LeafQuestion {
  std::string text;
  bool exact = false;  // `sat` means that there are values that break it
};
// The next question, from 0 on; nothing if there are no more. Throws Refused if one is too long.
std::optional<LeafQuestion> question(const Leaf& leaf, std::size_t number);

// What a variable's value must be for it to lie in its range.
CoreExpression in_range(const CoreRange& range, const CoreExpression& value);
// Ranges with other names, as those of a second packet, and expressions in these names.
std::string second(const std::string& name);
CoreRanges renamed(const CoreRanges& ranges, CoreSubstitution& by);

}  // namespace quadrille::proof_reader
