// The prover's knowledge of a fabric: its routes for every size, and its rules.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/crossings.h"
#include "verifier/prover/algebra/algebra.h"

namespace quadrille::prover {

// A topology's crossings, with the schedule's numbers as their parameters.
struct BoundCrossings {
  Crossings crossings;
  std::vector<Number> parameters;
};

// Either a binary tree, whose proofs go level by level, or any other topology, given by its crossings.
struct Machine {
  std::string kind;                         // "ring"
  std::optional<Number> levels;             // of a binary tree
  std::optional<BoundCrossings> crossings;  // of the others
  bool widening = false;                    // tree: the capacity of level i is at least 2^(i-1)
  bool exact = false;                       // the capacities are exactly these (or all 1), not larger
  bool single_port = false;
  bool half_duplex = false;
  bool rounds = false;  // steps are rounds, in which messages cross their whole path
  bool shared = false;  // in rounds: messages share lanes
  // Switches hand on a packet as often as it came. If each send goes to one processor and nothing waits, each row out
  // of a switch has its own row into it, one step before. Then forwarding is the same as copying, and no obligation
  // is about it.
  bool forwards = false;
  std::string words;  // "binary fat tree of L levels, capacity exponential"
};

// The number of steps that a packet from source to target takes, on the machine's default route, without waiting.
Number hops(Algebra& algebra, const Machine& machine, const Number& source, const Number& target);
// Whether no packet crosses a switch, wherever it goes.
bool without_switches(const Machine& machine);

}  // namespace quadrille::prover
