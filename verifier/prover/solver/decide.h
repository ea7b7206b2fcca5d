// Decides obligations: asks Z3 one question after another, the easy ones first.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "model/limits/watch.h"
#include "verifier/prover/problem/obligation.h"
#include "verifier/prover/problem/problem.h"

namespace quadrille::prover {

// Decides an obligation. `small`: the counterexample should have values of these variables that are as small as can
// be found. Requires that nothing is added to `algebra` meanwhile; several threads may decide at once.
Decision decide(const Algebra& algebra, const Obligation& obligation, const std::vector<Atom>& small,
                const SolverEffort& effort);

// The reason to report, of two for which something is unknown: a fault of the prover before all others, then what is
// not supported, then what was stopped.
Reason more_telling(Reason a, Reason b);

// The reason that an exception gives for leaving something open. Numbers that are too large to compute are a limit;
// everything else is a fault of the prover.
Failure failure_of(const std::exception& problem);

// Limits the bytes that Z3 takes in this process from now on; more than that becomes Reason::limit.
void limit_memory(std::uint64_t bytes);

struct Discharging {
  SolverEffort effort;           // for each obligation
  unsigned threads = 1;          // at least 1
  std::vector<Atom> small = {};  // counterexamples have small values of these,
                                 // where that is quickly found
  // Returns whether this decision is enough, so that no more is asked; may be missing. Several threads call it.
  std::function<bool(const Obligation& obligation, const Decision& decision)> enough = {};
};

struct Decisions {
  std::vector<Decision> all;  // one for each obligation
  bool enough = false;        // whether one of them was enough
};

// Decides the obligations. Those not asked, because of an earlier decision or the limits, are unknown.
Decisions discharge(const Algebra& algebra, const std::vector<Obligation>& obligations, const Discharging& how);

// The proof, with the checker's verdict on the smallest sizes. If all is proved, a size that the checker refuses is a
// fault of the prover, and leaves the schedule unknown. If something is unknown, it refutes the schedule. `patterns`:
// values of the pattern parameters; the checker is asked about each.
Proof with_second_opinion(Proof proof, const Algebra& algebra, const Subject& subject,
                          const std::vector<Arguments>& patterns, Watch& watch);

// Whether x >= least can be shown by going down from x: one variable after another is set to the worst end of its
// range, until a number remains, or a number of at most three variables that Z3 finds to be large enough. If so, adds
// the steps as obligations, each like `like` except for its formula and meaning ("WHAT is at least …"). Throws Ended.
bool add_chain(Algebra& algebra, const Number& x, int least, const std::string& what, const Obligation& like,
               std::vector<Obligation>& obligations, Watch& watch);

}  // namespace quadrille::prover
