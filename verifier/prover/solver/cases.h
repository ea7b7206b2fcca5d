// Decides obligations case by case. Exponents, and the lengths of numbers, have few values. With each of them fixed,
// powers of two are plain numbers, and the rest is easy.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/limits/watch.h"
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
// Ended when the watch has reached its limits.
std::optional<std::vector<Case>> cases_of(const Algebra& algebra, const Obligation& obligation,
                                          const std::vector<Atom>& scope, bool divisors, Watch& watch);

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

inline constexpr unsigned most_conflicts = 200'000;  // some twenty seconds

// Each of the functions may throw Failure, when Z3 gives up or is stopped; Unsupported, when the theory cannot express
// the question; Ended, between two questions; and z3::exception.

// Decides whether values exist with which `given` holds and `must` does not, in exact numbers. `small`: the
// counterexample should have values of these variables that are as small as can be found quickly. `conflicts`: the
// most conflicts of the solver for bit-vectors, which hardly counts resource units.
void ask(const Algebra& algebra, const Obligation& obligation, const std::vector<Atom>& small,
         const SolverEffort& effort, unsigned conflicts, Decision& decision);

// Decides the same by some axioms about powers of two and binary digits alone. The decision is `proved` or stays
// open. Asks nothing where no powers or digits occur.
void ask_by_axioms(const Algebra& algebra, const Obligation& obligation, const SolverEffort& effort,
                   Decision& decision);

// Decides the same case by case (cases.h). False if there is nothing to split, if there are more than `most` cases,
// or if Z3 gave up on one.
bool ask_by_cases(const Algebra& algebra, const Obligation& obligation, const std::vector<Atom>& small,
                  const SolverEffort& effort, std::size_t most, Decision& decision);

// Whether the obligation contains powers of two or binary digits; if not, it is asked in integers.
bool speaks_of_bits(const Obligation& obligation);

}  // namespace quadrille::prover
