// Obligations case by case: what stands in exponents, and the lengths of numbers, have few values; with each of them
// powers of two are numbers, and what is left is easy.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "verifier/prover/problem/obligation.h"

namespace quadrille::prover {

// Values of the split atoms, and ranges of variables: those of what has such values.
struct Case {
  Assignment fixed;
  struct Interval {
    std::optional<Integer> low, high;
  };
  std::map<Atom, Interval, AtomOrder> within;  // variables that are not fixed; of some
};

// Cases of which one is that of any values with which all variables of `scope` are in their ranges: all cases together
// say what the obligation says. Nothing if there is nothing to split, or there are too many of them.
std::optional<std::vector<Case>> cases_of(const Algebra& algebra, const Obligation& obligation,
                                          const std::vector<Atom>& scope);

// The obligation in one case, in an algebra of its own; with what equations say of variables in their place.
struct InCase {
  std::unique_ptr<Algebra> algebra;
  std::vector<std::pair<Atom, Number>> values;  // of all variables of the scope: what stands for them
  std::vector<Atom> scope;                      // new variables, without those
  Formula given = nullptr;                      // also that the others are in their ranges, and lengths are right
  Formula must = nullptr;
};

// Throws Unsupported.
InCase in_case(const Obligation& obligation, const std::vector<Atom>& scope, const Case& which);

}  // namespace quadrille::prover
