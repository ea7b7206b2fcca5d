// Two packets of a schedule, any two that are different, case by case.
#pragma once

#include <string>
#include <vector>

#include "verifier/proof_reader/leaf.h"

namespace quadrille::proof_reader {

// A family of things: messages, or what they deliver.
struct FamilyOfThings {
  CoreRanges variables;
  CoreExpression given;
};

// Any one of the first family and any one of the second that is another one, in this case. `second` puts the second
// one's names in place of the family's own.
struct Pair {
  std::string words;  // "" or "d later"
  CoreRanges scope;
  CoreExpression given;
  CoreSubstitution second;
};

// Of one family (`same`), the first variable in which the two differ is larger in the second, so there are as many
// cases as variables. Things of different families are different, whatever their variables.
std::vector<Pair> pairs(const FamilyOfThings& first, const FamilyOfThings& second, bool same);

}  // namespace quadrille::proof_reader
