// Decides obligations case by case. Exponents, and the lengths of numbers, have few values. With each of them fixed,
// powers of two are plain numbers, and the rest is easy.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "verifier/prover/problem/interrupter.h"
#include "verifier/prover/problem/obligation.h"

namespace quadrille::prover {

// A case: values of the split atoms, and the ranges of variables that follow from them.
struct Case {
  Assignment fixed;
  struct Interval {
    std::optional<Integer> low, high;
  };
  std::map<Atom, Interval, AtomOrder> within;  // of some variables that are not fixed
};

// The cases of an obligation. Any values with which all variables of `scope` are in their ranges belong to one of
// them, so all cases together say the same as the obligation. Nothing if there is nothing to split, or if there are
// too many cases. `divisors`: what divisors depend on is split, too; nothing if all divisors are constants. Throws
// GivenUp when the interrupter's limits are reached.
std::optional<std::vector<Case>> cases_of(const Algebra& algebra, const Obligation& obligation,
                                          const std::vector<Atom>& scope, bool divisors,
                                          const Interrupter& interrupter);

// The obligation in one case, in an algebra of its own. Variables that equations determine are replaced.
struct InCase {
  std::unique_ptr<Algebra> algebra;
  std::vector<std::pair<Atom, Number>> values;  // of all variables of the scope: the numbers that replace them
  std::vector<Atom> scope;                      // new variables, without those
  Formula given = nullptr;                      // also: the others are in their ranges, and lengths are right
  Formula must = nullptr;
};

// The obligation in the given case. Throws Unsupported.
InCase in_case(const Obligation& obligation, const std::vector<Atom>& scope, const Case& which);

}  // namespace quadrille::prover
