// Leaves of a proof: formulas that a solver decides.
#pragma once

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

// The question whether there are values that break it, as SMT-LIB 2: `unsat` means that there are none, so the leaf
// holds. Throws Refused if it is too long.
std::string question(const Leaf& leaf);

// What a variable's value must be for it to lie in its range.
CoreExpression in_range(const CoreRange& range, const CoreExpression& value);
// Ranges with other names, as those of a second packet, and expressions in these names.
std::string second(const std::string& name);
CoreRanges renamed(const CoreRanges& ranges, CoreSubstitution& by);

}  // namespace quadrille::proof_reader
